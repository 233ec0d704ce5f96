import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

let restoreAnchoring = () => {}

/**
 * Scroll anchoring to inserted content would stop the scroll, so it is off until the top is reached or the member
 * does something else.
 */
export function scrollToTop(): void {
  if (scrollY === 0) return
  if (prefersReducedMotion()) {
    scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  restoreAnchoring()
  // Chromium ignores the property on the root element.
  const { style } = document.body
  const scrolling = new AbortController()
  restoreAnchoring = () => {
    scrolling.abort()
    style.removeProperty('overflow-anchor')
  }
  style.overflowAnchor = 'none'
  // An earlier scroll may still end further down the page.
  const endAtTop = () => scrollY === 0 && restoreAnchoring()
  addEventListener('scrollend', endAtTop, { signal: scrolling.signal })
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(input, restoreAnchoring, { signal: scrolling.signal, passive: true })
  scrollTo({ top: 0, behavior: 'smooth' })
}
