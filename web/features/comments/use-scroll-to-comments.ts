import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

export const commentsAnchor = '#comments'

/**
 * Scrolls to the comments when they have loaded, which is too late for the browser to do it. Back and reload keep
 * the position.
 * @returns the ref of the heading that receives the focus
 */
export function useScrollToComments(isLoaded: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const { hash, key } = useLocation()
  const isForward = useNavigationType() !== 'POP'
  const followed = isLoaded && isForward && hash === commentsAnchor ? key : undefined
  useEffect(() => {
    if (followed === undefined) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [followed])
  return heading
}
