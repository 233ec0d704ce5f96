import type { InfiniteData, QueryClient } from '@tanstack/react-query'

/** Conversations are missing, because live updates keep them current. */
const refreshed = ['posts', 'people', 'groups', 'privacy', 'follow-requests']

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data

/** The reader is at the top, so a paginated list reloads only its first page. */
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
