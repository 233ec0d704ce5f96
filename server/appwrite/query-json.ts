/** The newer query grammar (platform reference §8.2): `{"method":"equal","attribute":"title","values":["a"]}`. */
import { isTooDeep } from '../json.ts'
import { badQuery, type Term } from './query-term.ts'

/** A query and its list of values are two brackets, and queries nest four deep. */
const maxBrackets = 10

/** @throws Failure general_query_invalid */
export function parseJson(text: string): Term {
  if (isTooDeep(text, maxBrackets)) badQuery('Invalid query: nested too deeply')
  try {
    return termOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return badQuery('Invalid query')
    throw error
  }
}

/** The query in a parsed value, which may stand inside another. */
export function termOf(given: unknown): Term {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return badQuery('Invalid query')
  const { method, attribute, values = [] } = given as Record<string, unknown>
  if (typeof method !== 'string') return badQuery('Invalid query method')
  if (attribute !== undefined && typeof attribute !== 'string') return badQuery('Invalid query attribute')
  if (!Array.isArray(values)) return badQuery('Invalid query values')
  return { method, attribute, values }
}
