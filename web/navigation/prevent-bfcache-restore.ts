/**
 * Hides the document before the browser stores it in the bfcache. If the browser restores it, reloads the page, because
 * the member may have lost access to the page's data.
 */
export function preventBfcacheRestore(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    // A form with unsaved changes has already asked the member. This capturing listener runs before the form's own
    // listener, so that the form does not ask again.
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })
}
