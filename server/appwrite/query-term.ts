/** What both query grammars come to before it is checked: a method and what was given to it. */
import { fail } from '../errors.ts'

export type Term = {
  method: string
  /** Named apart in JSON; the first value in the text grammar. */
  attribute?: string
  values: readonly unknown[]
}

/** How a query is refused: its field by name, never its value (reading D-17). */
export function badQuery(message: string): never {
  return fail('general_query_invalid', { message, field: 'queries' })
}
