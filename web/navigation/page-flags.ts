/**
 * Whether the server set a page flag: `member` or `no-recovery`, in the `Server-Timing` header, which scripts
 * can read (decision 0103).
 */
export function hasPageFlag(flag: PageFlag): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.some(({ name }) => name === flag) ?? false
}

type PageFlag = 'member' | 'no-recovery'
