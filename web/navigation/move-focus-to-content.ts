/** Moves the focus out of an element that is about to be removed; browsers would move it to the body. */
export function moveFocusToContent(removed: Element | null): void {
  const { activeElement, body } = document
  if (activeElement !== body && !removed?.contains(activeElement)) return
  document.getElementById('content')?.focus({ preventScroll: true })
}
