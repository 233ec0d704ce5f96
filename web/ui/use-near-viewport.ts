import { type RefObject, useEffect, useState } from 'react'

/** The margin exceeds a screen, so that content renders before the member scrolls to it. */
const preloadMargin = '1200px'

const waiting = new WeakMap<Element, () => void>()
let watch: IntersectionObserver | undefined

const observer = () =>
  (watch ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: preloadMargin },
  ))

/** The result stays true once the element has been near. */
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
