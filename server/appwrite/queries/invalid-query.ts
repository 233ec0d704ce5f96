import { throwFailure } from '#server/errors.ts'

/** Names the field and never its value. @throws Failure general_query_invalid */
export function failInvalidQuery(message: string): never {
  return throwFailure('general_query_invalid', { message, field: 'queries' })
}
