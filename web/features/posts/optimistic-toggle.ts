type Steps = {
  on: boolean
  show: (on: boolean) => void
  /** @throws if the request failed */
  send: (on: boolean) => Promise<void>
  onRollback: (error: unknown) => void
  onRest: () => void
}

/** Only the last press counts. A failure restores the confirmed state unless the member pressed again. */
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
        // The request may have taken effect, so the new state is sent even if it equals the confirmed one.
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
