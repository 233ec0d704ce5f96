/** Concurrent calls share one run. A failed run is not kept. */
export function keepResult<T>(
  keptMs: number,
  work: () => Promise<T>,
): () => Promise<{ value: T; computedAt: Date }> {
  let kept: Promise<{ value: T; computedAt: Date }> | null = null
  let until = 0
  return () => {
    if (kept && Date.now() < until) return kept
    until = Number.POSITIVE_INFINITY
    const running = work().then(
      (value) => {
        until = Date.now() + keptMs
        return { value, computedAt: new Date() }
      },
      (error: unknown) => {
        kept = null
        throw error
      },
    )
    kept = running
    return running
  }
}
