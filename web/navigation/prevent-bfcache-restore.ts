/**
 * Hides the document before the bfcache stores it and reloads on restore: the member may have lost access to
 * its data.
 */
export function preventBfcacheRestore(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    // Capturing runs before the form's own listener; an unsaved form has asked already.
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })
}
