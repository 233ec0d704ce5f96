/** Defines a query after parsing and before its check, alike for both grammars. */
export type ParsedQuery = {
  method: string
  /** Named apart in JSON; the first value in the text grammar. */
  attribute?: string
  values: readonly unknown[]
}
