/** The storage key for the neutral page that a tab opened when the member used quick exit. */
export const quickExitTabKey = 'juntas:left'

/**
 * Leaves again if Back, Forward or a restored tab reopens a page that the member left by quick exit. A new navigation
 * resets this.
 * @returns true if the page is being left and must render nothing
 */
export function repeatQuickExit(): boolean {
  const url = sessionStorage.getItem(quickExitTabKey)
  if (!url) return false
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (page?.type === 'navigate') {
    sessionStorage.removeItem(quickExitTabKey)
    return false
  }
  document.documentElement.hidden = true
  location.replace(url)
  return true
}
