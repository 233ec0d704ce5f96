import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Invalidates queries, including those in their first load: their answer may predate the change. */
export async function invalidateQueriesIncludingLoading(
  queryClient: QueryClient,
  queryKey: QueryKey,
): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  const first = underWay.some(({ state }) => state.data === undefined)
  await queryClient.invalidateQueries({ queryKey })
  if (first) await queryClient.invalidateQueries({ queryKey })
}
