import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

export const commentsAnchor = '#comments'

/**
 * Scrolls to and focuses the comments after following their link; they load too late for the browser. Back
 * and reload keep the position.
 * @param isLoaded whether the comments are rendered
 * @returns the focusable heading's ref
 */
export function useScrollToComments(isLoaded: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const { hash, key } = useLocation()
  const isForward = useNavigationType() !== 'POP'
  // Repeating the link on the same page has a new key.
  const followed = isLoaded && isForward && hash === commentsAnchor ? key : undefined
  useEffect(() => {
    if (followed === undefined) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [followed])
  return heading
}
