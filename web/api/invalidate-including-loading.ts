import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Invalidates queries. Invalidates those that are loading a second time, because their responses may contain
 * the state from before the change.
 */
export async function invalidateQueriesIncludingLoading(
  queryClient: QueryClient,
  queryKey: QueryKey,
): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  // Queries on screen that have data reload at once.
  const early = underWay.filter((query) => query.state.data === undefined || !query.isActive())
  const loaded = Promise.allSettled(early.map(({ promise }) => promise))
  await queryClient.invalidateQueries({ queryKey })
  await loaded
  if (early.length > 0)
    await queryClient.invalidateQueries({ queryKey, predicate: (query) => early.includes(query) })
}
