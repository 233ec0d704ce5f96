import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Coalesces calls of `work`. A call during a run schedules one more run, because the current run may have read
 * older data. Runs use the asynchronous context of the creation.
 * @returns a function whose promise settles when no run remains. If a run throws, all callers are rejected
 * and the scheduled run is dropped, so `work` must handle errors
 */
export function coalesceCalls(work: () => Promise<void>): () => Promise<void> {
  const inContextOfCreation = AsyncLocalStorage.snapshot()
  let running: Promise<void> | null = null
  let again = false
  const run = async () => {
    try {
      do {
        again = false
        await work()
      } while (again)
    } finally {
      running = null
    }
  }
  return () => {
    again = true
    running ??= inContextOfCreation(run)
    return running
  }
}
