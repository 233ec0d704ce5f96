import { throwFailure } from '#server/errors.ts'
import { failInvalidQuery } from '../queries/invalid-query.ts'
import {
  type ComparisonFilter,
  parseAppwriteQueries,
  type QueryFilter,
  truncateForErrorMessage,
} from '../queries/parse-queries.ts'
import { extractQueryStrings } from '../queries/queries-parameter.ts'

/** Refuses all queries except `limit` and `offset`. */
export function parsePagingQueries(query: unknown): { limit: number; offset: number } {
  const { filters, order, cursor, select, limit, offset } = parseAppwriteQueries(extractQueryStrings(query))
  if (filters.length > 0 || order.length > 0 || cursor || select) {
    failInvalidQuery('Invalid query: only limit and offset are offered here')
  }
  return { limit, offset }
}

type Model = { $id: string } & Record<string, string>

/**
 * Suits an account's few rows.
 * @param models oldest first
 * @throws Failure 400 `general_query_invalid`, `general_cursor_not_found`
 */
export function queryModelsInMemory<M extends Model>(
  models: readonly M[],
  query: unknown,
  what: string,
): { total: number; page: M[] } {
  const { filters, order, limit, offset, cursor } = parseAppwriteQueries(extractQueryStrings(query))
  const wanted = filters.map(comparing)
  const found = models.filter((model) =>
    wanted.every(({ attribute, values }) => values.includes(of(model, attribute))),
  )
  for (const { attribute, descending } of order.toReversed()) {
    const by = attribute || '$createdAt'
    found.sort((a, b) => of(a, by).localeCompare(of(b, by)) * (descending ? -1 : 1))
  }
  const total = found.length
  if (!cursor) return { total, page: found.slice(offset, offset + limit) }
  const at = found.findIndex(({ $id }) => $id === cursor.id)
  if (at < 0) {
    const message = `${what} '${truncateForErrorMessage(cursor.id)}' for the 'cursor' value not found.`
    return throwFailure('general_cursor_not_found', { message, field: 'queries' })
  }
  const rest = cursor.before ? found.slice(0, at).slice(-limit) : found.slice(at + 1)
  return { total, page: rest.slice(0, limit) }
}

const comparing = (filter: QueryFilter): ComparisonFilter =>
  filter.method === 'equal' ? filter : failInvalidQuery('Invalid query: only equal is offered here')

function of(model: Model, attribute: string): string {
  if (Object.hasOwn(model, attribute)) return model[attribute] as string
  return failInvalidQuery(
    `Invalid query: Attribute not found in schema: ${truncateForErrorMessage(attribute)}`,
  )
}
