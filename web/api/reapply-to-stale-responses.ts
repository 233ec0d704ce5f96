import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * The functions that stop reapplying. Each query client has its own map, because each member has their own query
 * client.
 */
const ends = new WeakMap<QueryClient, Map<string, () => void>>()

/**
 * Reapplies a member's change to answers that were requested before the change, because those answers contain the older
 * state. Loading a list's next page would otherwise also restore the older state of its earlier pages.
 * @param name identifies the change; a newer change with the same name replaces it
 * @param queryKey the key of the queries that show the change
 * @returns a function to call when the server has stored the change; reapplying ends when the last earlier request has
 * finished
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
    // Updates that the page itself wrote (`manual`) are ignored, because they are not answers from the server.
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
