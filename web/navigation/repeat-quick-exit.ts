/** The neutral page that the tab opened on quick exit. */
export const quickExitTabKey = 'juntas:left'

/**
 * Back, Forward or a restored tab must not reopen a page left by quick exit.
 * @returns true if the page must render nothing
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
