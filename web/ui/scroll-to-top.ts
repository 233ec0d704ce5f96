import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

let restoreAnchoring = () => {}

/**
 * Scrolls to the top, at once for reduced motion. Disables scroll anchoring until the top is reached or the member
 * does something else, because anchoring to inserted content would stop the scroll.
 */
export function scrollToTop(): void {
  if (scrollY === 0) return
  if (prefersReducedMotion()) {
    scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  restoreAnchoring()
  // Chromium ignores the root element's own value here.
  const { style } = document.body
  const scrolling = new AbortController()
  restoreAnchoring = () => {
    scrolling.abort()
    style.removeProperty('overflow-anchor')
  }
  style.overflowAnchor = 'none'
  // The end of an earlier scroll is reported further down.
  const endAtTop = () => scrollY === 0 && restoreAnchoring()
  addEventListener('scrollend', endAtTop, { signal: scrolling.signal })
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(input, restoreAnchoring, { signal: scrolling.signal, passive: true })
  scrollTo({ top: 0, behavior: 'smooth' })
}
