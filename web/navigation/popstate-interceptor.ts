/**
 * Intercepts Back and Forward before the router: browsers call a window's listeners in the order in which they were
 * added, so this one must be added first.
 */
let holder: ((event: PopStateEvent) => void) | undefined

/** Adds the listener; call before the router is rendered. */
export function installPopstateInterceptor(): void {
  addEventListener('popstate', (event) => holder?.(event))
}

/** @param hold called with each popstate; may stop the event to hide it from the router. @returns stops intercepting */
export function interceptPopstate(hold: (event: PopStateEvent) => void): () => void {
  holder = hold
  return () => {
    holder = undefined
  }
}
