import { throwFailure } from '#server/errors.ts'

/** Never names the value. */
export function failInvalidQuery(message: string): never {
  return throwFailure('general_query_invalid', { message, field: 'queries' })
}
