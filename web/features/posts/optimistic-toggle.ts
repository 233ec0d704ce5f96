type Steps = {
  on: boolean
  /** Shows a state that the server has not confirmed. */
  show: (on: boolean) => void
  /** Sends a state to the server. @throws if the request failed */
  send: (on: boolean) => Promise<void>
  /** Called with the error after a rollback. */
  onRollback: (error: unknown) => void
  /** Called when no request is running or waiting. */
  onRest: () => void
}

/**
 * Toggles a state optimistically. Only one request runs at a time, and only the last press counts. A failure restores
 * the last confirmed state, unless the member has pressed again.
 * @returns a function that toggles the state
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
        // It is unknown whether this request took effect, so the new state is sent even if it equals the confirmed
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
