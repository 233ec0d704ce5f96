/** Resolves after the next paint. Resolves immediately on a hidden page, because it is never painted. */
export const waitForNextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })
