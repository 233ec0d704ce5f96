/** Work that others ask for too is not ended because one of them has waited long enough. */
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The result of `work`, or after `milliseconds` whatever `otherwise` gives. The work is told that she waits no longer; what
 * it throws after that is nobody's any more.
 * @param gone aborted when she went away before
 */
export async function within<T>(
  milliseconds: number,
  work: (left: AbortSignal) => Promise<T>,
  otherwise: () => T | Promise<T>,
  gone?: AbortSignal,
): Promise<T> {
  const answered = new AbortController()
  const tired = new AbortController()
  const late = pause(milliseconds, 'late' as const, { ref: false, signal: answered.signal })
  try {
    const left = gone ? AbortSignal.any([gone, tired.signal]) : tired.signal
    const first = await Promise.race([work(left).then((result) => ({ result })), late])
    if (first !== 'late') return first.result
    tired.abort()
    return await otherwise()
  } finally {
    late.catch(() => {})
    answered.abort()
  }
}
