export type ParsedQuery = {
  method: string
  /** In the older grammar, it is the first value. */
  attribute?: string
  values: readonly unknown[]
}
