import { type RefObject, useEffect, useState } from 'react'

/** More than a screen: what is scrolled to is rendered before it comes into sight. */
const preloadMargin = '1200px'

const waiting = new WeakMap<Element, () => void>()
let watch: IntersectionObserver | undefined

/** Returns the one observer of the page, made on first use. */
const observer = () =>
  (watch ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: preloadMargin },
  ))

/** Returns whether the element has been near the viewport once, so that its contents can be rendered lazily. */
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
