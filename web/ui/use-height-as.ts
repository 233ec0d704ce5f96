import { type RefObject, useEffect } from 'react'

/** Keeps an element's height in a variable of the whole page, for what lies over the page and is to leave it free. */
export function useHeightAs(variable: `--${string}`, element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element
    if (!current) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(variable, `${current.offsetHeight}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty(variable)
    }
  }, [variable, element])
}
