/**
 * Hides the document before it enters the bfcache and reloads on restore: it may show data the member can no longer
 * see.
 */
export function preventBfcacheRestore(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    // An unsaved form has asked already; capturing runs before the form's own listener.
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })
}
