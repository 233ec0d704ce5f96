import { type CSSProperties, useEffect, useState } from 'react'

/** Moves the layout above the keyboard in browsers that cover the window with it instead of shrinking the window. */
export function useVirtualKeyboardInset(): CSSProperties | undefined {
  const [covered, setCovered] = useState(0)
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    // A zoomed page also has a smaller viewport, but no keyboard.
    const measure = () => setCovered(seen.scale === 1 ? innerHeight - seen.height - seen.offsetTop : 0)
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [])
  return covered > 80 ? { bottom: covered } : undefined
}
