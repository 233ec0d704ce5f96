/** Parsed but not validated. */
export type ParsedQuery = {
  method: string
  /** Only in JSON. In the older grammar, it is the first value. */
  attribute?: string
  values: readonly unknown[]
}
