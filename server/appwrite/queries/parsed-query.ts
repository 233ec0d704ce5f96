export type ParsedQuery = {
  method: string
  /** In the older grammar, the attribute is the first value. */
  attribute?: string
  values: readonly unknown[]
}
