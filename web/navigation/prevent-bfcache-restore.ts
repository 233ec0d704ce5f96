/** Reloads a restored page, because the member may have lost access to its data. Hidden until then. */
export function preventBfcacheRestore(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    // Runs before a form's own listener, because a form with unsaved changes has already asked.
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })
}
