/** Listeners run in the order of adding, so this listener must precede the router's. */
type Hold = (event: PopStateEvent) => void

/** The last entry receives the event first, because a dialog is above the form that opened it. */
const holders: Hold[] = []

export function installPopstateInterceptor(): void {
  addEventListener('popstate', (event) => holders.at(-1)?.(event))
}

/**
 * @param hold receives each popstate event and may stop it before the router
 * @returns a function that stops intercepting
 */
export function interceptPopstate(hold: Hold): () => void {
  holders.push(hold)
  return () => {
    holders.splice(holders.lastIndexOf(hold), 1)
  }
}

/** NaN if the router did not create the entry. */
export const getHistoryIndex = (): number => Number(history.state?.idx ?? Number.NaN)
