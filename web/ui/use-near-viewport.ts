import { type RefObject, useEffect, useState } from 'react'

/** The margin is larger than a screen, so that content renders before the member scrolls to it. */
const preloadMargin = '1200px'

const waiting = new WeakMap<Element, () => void>()
let watch: IntersectionObserver | undefined

/** The page's only observer, which is created on first use. */
const observer = () =>
  (watch ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: preloadMargin },
  ))

/** Returns whether the element has ever been near the viewport, so that distant elements need not render. */
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
