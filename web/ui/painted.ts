/** When what is being rendered has been painted; at once on a page that nobody sees, which is not painted. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })
