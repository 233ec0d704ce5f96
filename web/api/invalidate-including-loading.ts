import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** The answer to a first load may be older than the change. */
export async function invalidateQueriesIncludingLoading(
  queryClient: QueryClient,
  queryKey: QueryKey,
): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  const first = underWay.some(({ state }) => state.data === undefined)
  await queryClient.invalidateQueries({ queryKey })
  if (first) await queryClient.invalidateQueries({ queryKey })
}
