import { type RefObject, useEffect, useState } from 'react'

/** More than a screen, so that content renders before it is scrolled into view. */
const preloadMargin = '1200px'

const waiting = new WeakMap<Element, () => void>()
let watch: IntersectionObserver | undefined

/** The page's one observer, created on first use. */
const observer = () =>
  (watch ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: preloadMargin },
  ))

/** Returns whether the element was ever near the viewport, for lazy rendering. */
export function useNearViewport(element: RefObject<Element | null>, atOnce: boolean): boolean {
  const [near, setNear] = useState(atOnce)
  useEffect(() => {
    const watched = element.current
    if (near || !watched) return
    waiting.set(watched, () => setNear(true))
    observer().observe(watched)
    return () => observer().unobserve(watched)
  }, [element, near])
  return near
}
