/**
 * The query cache contains this state, because sign-out clears the cache. Pending comments are also stored on the
 * device.
 */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Comment } from '#contract/comments/comments.ts'
import { commentQueryKeys } from '#web/api/query-keys.ts'
import {
  type CommentReplyTarget,
  type PendingComment,
  readStoredPendingComments,
  storePendingComments,
} from './pending-comment-storage.ts'

type CommentBox = {
  reply?: CommentReplyTarget
  pending: readonly PendingComment[]
  openThreads: readonly string[]
  /** The member's newest comment, until the page has scrolled to it. */
  posted?: string
}

const openBox = (client: QueryClient, postId: string): CommentBox => ({
  pending: readStoredPendingComments(client, postId),
  openThreads: [],
})

export function useCommentBox(postId: string): CommentBox {
  const client = useQueryClient()
  const { data } = useQuery<CommentBox>({
    queryKey: commentQueryKeys.box(postId),
    queryFn: () => openBox(client, postId),
    initialData: () => openBox(client, postId),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

export function updateCommentBox(
  client: QueryClient,
  postId: string,
  change: (box: CommentBox) => Partial<CommentBox>,
) {
  const box = readCommentBox(client, postId)
  const changed = { ...box, ...change(box) }
  client.setQueryData<CommentBox>(commentQueryKeys.box(postId), changed)
  if (changed.pending !== box.pending) storePendingComments(client, postId, changed.pending)
}

export const readCommentBox = (client: QueryClient, postId: string): CommentBox =>
  client.getQueryData<CommentBox>(commentQueryKeys.box(postId)) ?? openBox(client, postId)

export const startReply = (
  client: QueryClient,
  postId: string,
  reply: CommentReplyTarget | undefined,
): void => {
  updateCommentBox(client, postId, () => ({ reply }))
}

export const expandThread = (client: QueryClient, postId: string, threadId: string): void => {
  updateCommentBox(client, postId, ({ openThreads }) => ({ openThreads: [...openThreads, threadId] }))
}

export const discardPendingComment = (client: QueryClient, postId: string, commentId: string): void => {
  updateCommentBox(client, postId, ({ pending }) => ({
    pending: pending.filter((one) => one.commentId !== commentId),
  }))
}

export const toCommentReplyTarget = (comment: Comment): CommentReplyTarget => ({
  commentId: comment.$id,
  threadId: comment.parentId ?? comment.$id,
  name: comment.author?.name ?? '',
})
