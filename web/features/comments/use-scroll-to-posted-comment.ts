import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { readCommentBox, updateCommentBox } from './comment-box-state.ts'

/**
 * Scrolls to the member's own new comment, because a reply may be far above the comment box.
 * @returns the ref of the comment's element
 */
export function useScrollToPostedComment(
  postId: string,
  commentId: string,
  isStored = true,
): RefObject<HTMLElement | null> {
  const client = useQueryClient()
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (readCommentBox(client, postId).posted !== commentId) return
    element.current?.scrollIntoView({ block: 'nearest' })
    if (isStored) updateCommentBox(client, postId, () => ({ posted: undefined }))
  }, [client, postId, commentId, isStored])
  return element
}
