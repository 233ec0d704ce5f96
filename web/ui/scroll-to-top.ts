import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

/**
 * Scrolls the page to its top, at once for those who want no motion. What comes in above meanwhile does not hold it back: until
 * the scroll ends, the browser keeps no element where it is (CSS Scroll Anchoring).
 */
export function scrollToTop(): void {
  if (scrollY === 0) return
  if (prefersReducedMotion()) {
    scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  const { style } = document.documentElement
  style.overflowAnchor = 'none'
  // The end of an earlier scroll comes before the next frame, and is not this one's.
  requestAnimationFrame(() =>
    addEventListener('scrollend', () => style.removeProperty('overflow-anchor'), { once: true }),
  )
  scrollTo({ top: 0, behavior: 'smooth' })
}
