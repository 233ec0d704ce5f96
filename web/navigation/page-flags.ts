/** The flags are in the `Server-Timing` header, which scripts can read (decision 0103). */
export const hasPageFlag = (flag: PageFlag): boolean => findPageFlag(flag) !== undefined

/** The page reserves space for the buttons. Returns 0 if the server did not send the number. */
export const countProvidersByPageFlag = (): number => Number(findPageFlag('providers')?.description ?? 0)

function findPageFlag(flag: PageFlag): PerformanceServerTiming | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.serverTiming?.find(({ name }) => name === flag)
}

/** `from-device` marks the service worker's cached page, used because the server did not answer. */
type PageFlag = 'member' | 'no-recovery' | 'providers' | 'from-device'
