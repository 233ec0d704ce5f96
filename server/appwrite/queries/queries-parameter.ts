/** Matches `queries[0]`, `queries[]` and `queries`. */
import { failInvalidQuery } from './invalid-query.ts'

const queriesKeyPattern = /^queries(?:\[\d{0,4}\])?$/

export function extractQueryStrings(query: unknown): string[] {
  return Object.entries(query as Record<string, unknown>).flatMap(([key, given]) => {
    if (!key.startsWith('queries')) return []
    if (!queriesKeyPattern.test(key)) return failInvalidQuery('Invalid query: queries is a list of texts')
    const texts = (Array.isArray(given) ? given : [given]) as string[]
    // If an index occurs twice, its first query counts.
    return key.includes('[]') || key === 'queries' ? texts : texts.slice(0, 1)
  })
}

export const isListTotalRequested = (query: unknown): boolean => {
  const { total } = query as { total?: unknown }
  return total !== 'false' && total !== '0'
}
