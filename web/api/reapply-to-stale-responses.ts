import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** How to end what is reapplied, per query client: another member has their own. */
const ends = new WeakMap<QueryClient, Map<string, () => void>>()

/**
 * Applies a member's change again whenever an answer arrives, as one that was requested before the change brings the
 * older state: a list that loads its next page puts its earlier pages back, too.
 * @param name of what is changed; a newer change of the same takes the place of an older one
 * @param queryKey of the queries that show it
 * @returns call it when the server has the change: it ends with the last answer that was requested by then
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
    // What the page writes itself is no answer: `apply` is told of here, too.
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
