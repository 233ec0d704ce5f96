import type { InfiniteData, QueryClient } from '@tanstack/react-query'

/**
 * The first key elements of the queries that a refresh reloads. Conversations are missing, because live updates keep
 * them current.
 */
const refreshed = ['posts', 'people', 'groups', 'privacy', 'follow-requests']

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data

/** Reloads the screen. Of a paginated list, only the first page reloads, because the reader is at the top. */
export async function refreshScreen(client: QueryClient): Promise<void> {
  const shown = client
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey: [noun] }) => refreshed.includes(String(noun)) })
  for (const query of shown) {
    const { data } = query.state
    if (isPaged(data))
      query.setData({ pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) })
  }
  await Promise.all(shown.map(({ queryKey }) => client.refetchQueries({ queryKey, exact: true })))
}
