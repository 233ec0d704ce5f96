import type { InfiniteData, QueryClient } from '@tanstack/react-query'

/** First key elements that a refresh reloads. Live updates keep conversations current. */
const refreshed = ['posts', 'people', 'groups', 'privacy', 'follow-requests']

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data

/** Reloads the screen; of paginated lists only the first page, because the reader is at the top again. */
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
