/**
 * Intercepts Back and Forward before the router: browsers call a window's listeners in the order in which they were
 * added, so this one must be added first.
 */
type Hold = (event: PopStateEvent) => void

/** The newest is what lies on top: a dialog over its form. */
const holders: Hold[] = []

/** Adds the listener; call before the router is rendered. */
export function installPopstateInterceptor(): void {
  addEventListener('popstate', (event) => holders.at(-1)?.(event))
}

/** @param hold called with each popstate; may stop the event to hide it from the router. @returns stops intercepting */
export function interceptPopstate(hold: Hold): () => void {
  holders.push(hold)
  return () => {
    holders.splice(holders.lastIndexOf(hold), 1)
  }
}

/** Returns the index the router gives each history entry; NaN for an entry of another origin. */
export const getHistoryIndex = (): number => Number(history.state?.idx ?? Number.NaN)
