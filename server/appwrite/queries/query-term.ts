/** Defines a parsed query before it is checked, the same for both grammars, and how a query is refused. */
import { throwFailure } from '#server/errors.ts'

export type QueryTerm = {
  method: string
  /** Named apart in JSON; the first value in the text grammar. */
  attribute?: string
  values: readonly unknown[]
}

/** Refuses a query, naming its field and never its value. @throws Failure general_query_invalid */
export function failInvalidQuery(message: string): never {
  return throwFailure('general_query_invalid', { message, field: 'queries' })
}
