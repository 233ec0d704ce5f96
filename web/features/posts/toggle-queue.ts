type Steps = {
  /** What the server holds. */
  on: boolean
  /** Draws it as if it were so already. */
  show: (on: boolean) => void
  /** @throws when the server did not take it */
  send: (on: boolean) => Promise<void>
  /** What was shown has been taken back, for this reason. */
  onRollback: (error: unknown) => void
  /** Nothing is under way any more. */
  onRest: () => void
}

/**
 * A switch that may be pressed faster than the server answers: shown at once, sent one step at a time, and only the last
 * intent counts. A step that fails is taken back to what the server last confirmed, unless she has changed her mind since.
 *
 * @returns presses it
 */
export function toggleQueue({ on, show, send, onRollback, onRest }: Steps): () => void {
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
        // Whether it reached the server is unknown: her newer wish is sent even if it is what was there before.
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
