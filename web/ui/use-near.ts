import { type RefObject, useEffect, useState } from 'react'

/** More than a screen: what is scrolled to is there before it comes into sight. */
const distance = '1200px'

const waiting = new WeakMap<Element, () => void>()
let watch: IntersectionObserver | undefined

/** One observer for all, made by the first that needs it. */
const observer = () =>
  (watch ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: distance },
  ))

/** Whether the element has been near the screen once: what it holds may wait until then. */
export function useNear(element: RefObject<Element | null>, atOnce: boolean): boolean {
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
