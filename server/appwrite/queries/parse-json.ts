/** Parses queries such as `{"method":"equal","attribute":"title","values":["a"]}`. */
import { isJsonTooDeep } from '#server/http/json-body.ts'
import { failInvalidQuery } from './invalid-query.ts'
import type { ParsedQuery } from './parsed-query.ts'

/** A query and its list of values use two brackets. Queries can be nested four deep, which uses ten. */
const maxBrackets = 10

export function parseJsonQuery(text: string): ParsedQuery {
  if (isJsonTooDeep(text, maxBrackets)) failInvalidQuery('Invalid query: nested too deeply')
  try {
    return toParsedQuery(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return failInvalidQuery('Invalid query')
    throw error
  }
}

/** The query may contain nested queries. */
export function toParsedQuery(given: unknown): ParsedQuery {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return failInvalidQuery('Invalid query')
  const { method, attribute, values = [] } = given as Record<string, unknown>
  if (typeof method !== 'string') return failInvalidQuery('Invalid query method')
  if (attribute !== undefined && typeof attribute !== 'string')
    return failInvalidQuery('Invalid query attribute')
  if (!Array.isArray(values)) return failInvalidQuery('Invalid query values')
  return { method, attribute, values }
}
