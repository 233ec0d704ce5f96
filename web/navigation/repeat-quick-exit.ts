/** Stores the neutral page of a tab left by quick exit. */
export const quickExitTabKey = 'juntas:left'

/**
 * Leaves again if Back, Forward or a restored tab reopens such a page. A new navigation resets it.
 * @returns whether the page is leaving: render nothing
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
