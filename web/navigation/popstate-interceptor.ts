/**
 * Intercepts Back and Forward before the router. Browsers call listeners in the order added, so this one must
 * come first.
 */
type Hold = (event: PopStateEvent) => void

/** The newest is topmost: a dialog over its form. */
const holders: Hold[] = []

/** Call before rendering the router. */
export function installPopstateInterceptor(): void {
  addEventListener('popstate', (event) => holders.at(-1)?.(event))
}

/** @param hold receives each popstate and may stop it before the router. @returns stops intercepting */
export function interceptPopstate(hold: Hold): () => void {
  holders.push(hold)
  return () => {
    holders.splice(holders.lastIndexOf(hold), 1)
  }
}

/** The router's index of the history entry; NaN for another origin's. */
export const getHistoryIndex = (): number => Number(history.state?.idx ?? Number.NaN)
