/**
 * Coalesces calls: a call during a run schedules one more, since the current run may have read before the change.
 * @returns settles when no run is left to do. A run that throws rejects all callers and drops the one scheduled behind it:
 * `work` handles the errors after which the next must still run.
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
