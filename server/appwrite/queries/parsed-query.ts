/** A query of either grammar, parsed but not validated. */
export type ParsedQuery = {
  method: string
  /** The attribute, if the query is JSON. In the older grammar it is the first value instead. */
  attribute?: string
  values: readonly unknown[]
}
