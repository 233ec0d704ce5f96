/** The member may have lost access to the page's data, so a restored page reloads. It is hidden until then. */
export function preventBfcacheRestore(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    // Runs before a form's own listener, because the form has already asked about unsaved changes.
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })
}
