/** By the system's or this device's settings. */
export const prefersReducedMotion = (): boolean =>
  document.documentElement.dataset.motion === 'reduced' ||
  matchMedia('(prefers-reduced-motion: reduce)').matches
