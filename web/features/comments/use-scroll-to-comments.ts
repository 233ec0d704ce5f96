import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** What a link to a post ends with that leads to its comments. */
export const commentsAnchor = '#comments'

/**
 * Scrolls to the comments, and moves the focus to them, when a link to them was followed. They load after the post, so the browser
 * cannot; Back and reload return to where the reader was.
 * @param isLoaded whether what stands under the heading is there
 * @returns the ref of the comments' heading, which has to be focusable
 */
export function useScrollToComments(isLoaded: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const { hash, key } = useLocation()
  const isForward = useNavigationType() !== 'POP'
  // The link beside the comments themselves is followed without leaving them; each time has a key of its own.
  const followed = isLoaded && isForward && hash === commentsAnchor ? key : undefined
  useEffect(() => {
    if (followed === undefined) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [followed])
  return heading
}
