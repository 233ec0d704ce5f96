import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

export const commentsAnchor = '#comments'

/**
 * Scrolls to the comments and focuses them when the member follows a link to them. The browser cannot do this, because
 * the comments load too late. After Back and after a reload, the position is kept.
 * @param isLoaded whether the comments are rendered
 * @returns the ref of the heading that receives the focus
 */
export function useScrollToComments(isLoaded: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const { hash, key } = useLocation()
  const isForward = useNavigationType() !== 'POP'
  // If the member follows the same link again, the page stays the same but the key is new.
  const followed = isLoaded && isForward && hash === commentsAnchor ? key : undefined
  useEffect(() => {
    if (followed === undefined) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [followed])
  return heading
}
