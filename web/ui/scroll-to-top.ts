import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

/** Scrolls the page to its top, at once for those who want no motion. */
export function scrollToTop(): void {
  const still = prefersReducedMotion()
  scrollTo({ top: 0, behavior: still ? 'instant' : 'smooth' })
}
