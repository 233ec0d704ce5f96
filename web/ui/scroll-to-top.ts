import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

/**
 * Scrolls to the top, at once for reduced motion. Disables scroll anchoring meanwhile, so that content
 * inserted above does not stop it.
 */
export function scrollToTop(): void {
  if (scrollY === 0) return
  if (prefersReducedMotion()) {
    scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  const { style } = document.documentElement
  style.overflowAnchor = 'none'
  // An earlier scroll's end event may come before the next frame.
  requestAnimationFrame(() =>
    addEventListener('scrollend', () => style.removeProperty('overflow-anchor'), { once: true }),
  )
  scrollTo({ top: 0, behavior: 'smooth' })
}
