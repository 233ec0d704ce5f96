/** A comment is stored only once. After a failure, it waits for a retry. */
import type { QueryClient } from '@tanstack/react-query'
import { createCommentEndpoint } from '#contract/generated-endpoints.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { generateDocumentId } from '#web/api/ids.ts'
import { commentQueryKeys } from '#web/api/query-keys.ts'
import { discardPendingComment, expandThread, readCommentBox, updateCommentBox } from './comment-box-state.ts'
import type { PendingComment } from './pending-comment-storage.ts'

/** A refused comment returns to the comment box. Others wait for a retry. */
export type CommentSendResult = 'stored' | 'failed' | 'too-fast' | 'refused'

export function sendComment(
  client: QueryClient,
  postId: string,
  content: string,
): Promise<CommentSendResult> {
  const { reply } = readCommentBox(client, postId)
  const comment: PendingComment = { commentId: generateDocumentId(), content, reply, state: 'sending' }
  updateCommentBox(client, postId, ({ pending }) => ({
    reply: undefined,
    pending: [...pending, comment],
    posted: comment.commentId,
  }))
  return store(client, postId, comment)
}

/** Reuses the id, so the comment is stored only once. */
export function retryComment(
  client: QueryClient,
  postId: string,
  comment: PendingComment,
): Promise<CommentSendResult> {
  mark(client, postId, comment.commentId, 'sending')
  return store(client, postId, comment)
}

const mark = (client: QueryClient, postId: string, commentId: string, state: PendingComment['state']) =>
  updateCommentBox(client, postId, ({ pending }) => ({
    pending: pending.map((one) => (one.commentId === commentId ? { ...one, state } : one)),
  }))

async function store(
  client: QueryClient,
  postId: string,
  comment: PendingComment,
): Promise<CommentSendResult> {
  const { commentId, content, reply } = comment
  try {
    await callApiOperation(createCommentEndpoint, {
      postId,
      commentId,
      content,
      ...(reply && { parentId: reply.commentId }),
    })
  } catch (error) {
    const isTooFast = error instanceof ApiError && error.code === 429
    const isRefused = error instanceof ApiError && [400, 403, 404].includes(error.code)
    if (!isTooFast && !isRefused) {
      mark(client, postId, commentId, 'failed')
      return 'failed'
    }
    discardPendingComment(client, postId, commentId)
    await reloadComments(client, postId)
    return isTooFast ? 'too-fast' : 'refused'
  }
  if (reply) expandThread(client, postId, reply.threadId)
  await reloadComments(client, postId)
  discardPendingComment(client, postId, commentId)
  return 'stored'
}

export const reloadComments = (client: QueryClient, postId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: commentQueryKeys.of(postId) })
