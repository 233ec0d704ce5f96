import { prefersReducedMotion } from '#web/appearance/prefers-reduced-motion.ts'

let restoreAnchoring = () => {}

/**
 * Scrolls to the top, without animation if the member prefers reduced motion. Disables scroll anchoring until the top
 * is reached or the member does something else, because anchoring to inserted content would stop the scroll.
 */
export function scrollToTop(): void {
  if (scrollY === 0) return
  if (prefersReducedMotion()) {
    scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  restoreAnchoring()
  // Chromium ignores the property on the root element, so it is set on the body.
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
