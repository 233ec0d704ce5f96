type Steps = {
  /** The state the server has. */
  on: boolean
  /** Shows a state before the server has confirmed it. */
  show: (on: boolean) => void
  /** @throws when the request failed */
  send: (on: boolean) => Promise<void>
  /** Called after the shown state was rolled back, with the reason. */
  onRollback: (error: unknown) => void
  /** Called when the queue is idle. */
  onRest: () => void
}

/**
 * Toggles a state optimistically: shown at once, sent one request at a time, and only the last intent counts. A failed
 * request rolls back to what the server last confirmed, unless the intent has changed since.
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
        // Whether it reached the server is unknown: the newer intent is sent even if it equals the last confirmed
        // state.
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
