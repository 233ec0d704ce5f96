/**
 * Leaving for another site, a browser may keep the page whole and show it again on Back as it was, without asking anybody.
 * By then she may have signed out, or have been removed from the group whose posts it showed: so it is put away with
 * nothing on it, and begins anew when it is taken out again.
 */
export function watchRestoring(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    // A form that she left has asked its question already; capturing comes before the form's own listener.
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })
}
