/**
 * Coalesces calls: a call during a run schedules one more, because the current run may have read older data.
 * @returns settles when no run remains. A throwing run rejects all callers and drops the scheduled one:
 * `work` must handle errors after which the next must still run.
 */
export function coalesceCalls(work: () => Promise<void>): () => Promise<void> {
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
    running ??= run()
    return running
  }
}
