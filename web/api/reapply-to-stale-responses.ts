import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** Stop functions per query client, because each member has their own. */
const ends = new WeakMap<QueryClient, Map<string, () => void>>()

/**
 * Reapplies a member's change to answers requested before it, because those bring the older state. A list's
 * next page also restores its earlier pages.
 * @param name identifies the change; a newer one of the same name replaces it
 * @param queryKey of the queries that show it
 * @returns call it once the server stored the change: reapplying ends with the last earlier request
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
    // Also runs for the page's own writes, which are not answers.
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
