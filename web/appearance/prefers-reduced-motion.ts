/** Tells whether scrolling and animations are unwanted: by the system, or by what was chosen on this device. */
export const prefersReducedMotion = (): boolean =>
  document.documentElement.dataset.motion === 'reduced' ||
  matchMedia('(prefers-reduced-motion: reduce)').matches
