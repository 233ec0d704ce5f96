/**
 * Back and Forward, before the router hears of them: browsers call a window's listeners in the order in which they came, and
 * the router's must not come first.
 */
let holder: ((event: PopStateEvent) => void) | undefined

/** To be called before the router is there. */
export function watchSteps(): void {
  addEventListener('popstate', (event) => holder?.(event))
}

/** @param hold told of each step; stops the event to keep it from the router. @returns ends it */
export function holdSteps(hold: (event: PopStateEvent) => void): () => void {
  holder = hold
  return () => {
    holder = undefined
  }
}
