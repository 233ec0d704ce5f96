/** Where a tab that was left in a hurry keeps the address of the page that took the place of this one. */
export const quickExitTabKey = 'juntas:left'

/**
 * Leaves again a page of such a tab that Back, Forward or a restored tab has brought up. One that is opened anew ends it.
 * @returns whether the page is on its way out: nothing of it is to be shown
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
