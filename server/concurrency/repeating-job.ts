import { coalesceCalls } from './coalesce.ts'

export type RepeatingJob = {
  wake(): void
  /** Resolves when the current run has stopped. */
  close(): Promise<void>
}

/**
 * Runs `work` at once, then every `intervalMs` and when woken, without overlap. The immediate run lets a node
 * that is killed within each interval resume its work.
 * @param options.work stops between steps when the signal aborts
 * @param options.onError receives errors; later runs continue
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
