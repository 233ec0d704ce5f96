import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** Stop functions by name. Every member has a separate query client. */
const ends = new WeakMap<QueryClient, Map<string, () => void>>()

/**
 * Responses that were requested before a change contain the older state. Loading a next page would also restore the
 * older state of earlier pages.
 * @param name a newer change with this name replaces the change
 * @param queryKey the queries that show it
 * @returns a function to call when the server has stored the change
 */
export function reapplyToStaleResponses(
  client: QueryClient,
  name: string,
  queryKey: QueryKey,
  apply: () => void,
): () => void {
  const underWay = ends.get(client) ?? new Map<string, () => void>()
  ends.set(client, underWay)
  underWay.get(name)?.()
  const cache = client.getQueryCache()
  let late: Set<Query> | undefined
  const unsubscribe = cache.subscribe((event) => {
    if (event.type === 'removed') late?.delete(event.query)
    // Updates written by the page itself (`manual`) are not responses.
    else if (event.type === 'updated' && !(event.action.type === 'success' && event.action.manual)) {
      if (event.action.type === 'success') apply()
      if (event.query.state.fetchStatus === 'idle') late?.delete(event.query)
    }
    if (late?.size === 0) end()
  })
  function end() {
    unsubscribe()
    if (underWay.get(name) === end) underWay.delete(name)
  }
  underWay.set(name, end)
  return () => {
    late = new Set(cache.findAll({ queryKey, predicate: ({ state }) => state.fetchStatus !== 'idle' }))
    if (late.size === 0) end()
  }
}
