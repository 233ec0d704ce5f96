/**
 * Whether the server set a page flag in the `Server-Timing` header, which scripts can read (decision 0103).
 */
export const hasPageFlag = (flag: PageFlag): boolean => findPageFlag(flag) !== undefined

/** How many sign-in providers the server has, so that the page keeps their place; 0 where it did not say. */
export const countProvidersByPageFlag = (): number => Number(findPageFlag('providers')?.description ?? 0)

function findPageFlag(flag: PageFlag): PerformanceServerTiming | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.find(({ name }) => name === flag)
}

type PageFlag = 'member' | 'no-recovery' | 'providers'
