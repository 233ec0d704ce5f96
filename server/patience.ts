/** Work that others ask for too is not ended because one of them has waited long enough. */
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The result of `work`, or after `milliseconds` whatever `otherwise` gives; the work goes on, so that asking again finds it
 * done. What it throws after that is nobody's any more.
 */
export async function within<T>(
  milliseconds: number,
  work: Promise<T>,
  otherwise: () => T | Promise<T>,
): Promise<T> {
  const answered = new AbortController()
  const late = pause(milliseconds, 'late' as const, { ref: false, signal: answered.signal })
  try {
    const first = await Promise.race([work.then((result) => ({ result })), late])
    return first === 'late' ? await otherwise() : first.result
  } finally {
    late.catch(() => {})
    answered.abort()
  }
}
