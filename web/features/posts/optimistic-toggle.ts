type Steps = {
  on: boolean
  /** Shows an unconfirmed state. */
  show: (on: boolean) => void
  /** @throws if the request failed */
  send: (on: boolean) => Promise<void>
  /** Called after a rollback, with the reason. */
  onRollback: (error: unknown) => void
  /** Called when idle. */
  onRest: () => void
}

/**
 * Toggles a state optimistically: one request at a time, and only the last intent counts. A failure rolls
 * back to the last confirmed state, unless the intent changed.
 * @returns toggles
 */
export function createOptimisticToggle({ on, show, send, onRollback, onRest }: Steps): () => void {
  let confirmed = on
  let wanted = on
  let sending = false

  async function work() {
    sending = true
    let unsure = false
    while (wanted !== confirmed || unsure) {
      const step = wanted
      try {
        await send(step)
        confirmed = step
        unsure = false
      } catch (error) {
        // The outcome is unknown: send the newer intent even if it equals the confirmed state.
        unsure = wanted !== step
        if (unsure || wanted === confirmed) continue
        wanted = confirmed
        show(confirmed)
        onRollback(error)
      }
    }
    sending = false
    onRest()
  }

  return () => {
    wanted = !wanted
    show(wanted)
    if (!sending) void work()
  }
}
