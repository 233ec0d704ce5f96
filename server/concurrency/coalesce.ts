import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Coalesces calls: a call during a run schedules one more, because the current run may have read older data.
 * A run belongs to no caller, so it has the asynchronous context of its creation.
 * @returns settles when no run remains. A throwing run rejects all callers and drops the scheduled one:
 * `work` must handle errors after which the next must still run.
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
