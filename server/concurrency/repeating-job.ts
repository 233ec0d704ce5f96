import { coalesceCalls } from './coalesce.ts'

export type RepeatingJob = {
  /** Has it look now. */
  wake(): void
  /** Resolves when the run under way has stopped. */
  close(): Promise<void>
}

/**
 * Runs `work` at once, then every `intervalMs` and whenever it is woken, never twice at a time. At once, because a node that is killed
 * again within each interval would never go on with what it left half-way.
 * @param options.work stops between two pieces of work when the signal is aborted
 * @param options.onError gets what `work` throws; the next run comes all the same
 */
export function startRepeatingJob({
  intervalMs,
  work,
  onError,
}: {
  intervalMs: number
  work: (closing: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
}): RepeatingJob {
  const closing = new AbortController()
  const run = coalesceCalls(async () => {
    if (closing.signal.aborted) return
    await work(closing.signal).catch(onError)
  })
  const timer = setInterval(() => void run(), intervalMs)
  timer.unref()
  void run()
  return {
    wake: () => void run(),
    async close() {
      clearInterval(timer)
      closing.abort()
      await run()
    },
  }
}
