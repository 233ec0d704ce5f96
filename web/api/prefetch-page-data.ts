import { listPagePrefetchPaths, memberPrefetchPath } from '#contract/prefetch-paths.ts'
import { prefetchApiGet } from './client.ts'

/** @returns a promise that resolves when every response has arrived or failed */
export async function prefetchPageData(pathname: string): Promise<void> {
  await Promise.all(
    [memberPrefetchPath, ...listPagePrefetchPaths(pathname)].map((address) => prefetchApiGet(address)),
  )
}
