import { throwFailure } from '#server/errors.ts'

/** The message must never contain the query's value. */
export function failInvalidQuery(message: string): never {
  return throwFailure('general_query_invalid', { message, field: 'queries' })
}
