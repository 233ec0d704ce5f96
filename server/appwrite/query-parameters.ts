/** The list of queries in a query string: `queries[0]=…`, `queries[]=…` or `queries=…` (platform reference §2.3). */
import { badQuery } from './query-term.ts'

const place = /^queries(?:\[\d{0,4}\])?$/

/**
 * The queries in the order they came.
 * @throws Failure general_query_invalid for keys inside the list, which are no queries
 */
export function queryTexts(query: unknown): string[] {
  return Object.entries(query as Record<string, unknown>).flatMap(([key, given]) => {
    if (!key.startsWith('queries')) return []
    if (!place.test(key)) return badQuery('Invalid query: queries is a list of texts')
    const texts = (Array.isArray(given) ? given : [given]) as string[]
    // A numbered place that comes twice counts once.
    return key.includes('[]') || key === 'queries' ? texts : texts.slice(0, 1)
  })
}

export const wantsTotal = (query: unknown): boolean => {
  const { total } = query as { total?: unknown }
  return total !== 'false' && total !== '0'
}
