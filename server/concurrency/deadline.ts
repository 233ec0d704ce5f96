import { setTimeout as pause } from 'node:timers/promises'

/**
 * Resolves with `fallback()` if `work` takes longer than `ms`. At that time, or when the caller disconnects,
 * the signal of `work` aborts; later rejections are ignored. Shared work (`single-flight.ts`) continues for
 * others.
 * @param callerLeft aborts when the client disconnects
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  fallback: () => T | Promise<T>,
  callerLeft?: AbortSignal,
): Promise<T> {
  const settled = new AbortController()
  const expired = new AbortController()
  const timeout = pause(ms, 'timeout' as const, { ref: false, signal: settled.signal })
  try {
    const signal = callerLeft ? AbortSignal.any([callerLeft, expired.signal]) : expired.signal
    const first = await Promise.race([work(signal).then((result) => ({ result })), timeout])
    if (first !== 'timeout') return first.result
    expired.abort()
    return await fallback()
  } finally {
    timeout.catch(() => {})
    settled.abort()
  }
}
