/** A parsed, unvalidated query of either grammar. */
export type ParsedQuery = {
  method: string
  /** Separate in JSON; the first value in text. */
  attribute?: string
  values: readonly unknown[]
}
