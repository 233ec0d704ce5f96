/** Reads whether the page came with an entry in its `Server-Timing` header, which scripts can see (decision 0134). */
export function hasPageServerTiming(entry: string): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.some(({ name }) => name === entry) ?? false
}
