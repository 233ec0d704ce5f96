/**
 * Keeps what the member writes under a post: whom it answers, what is on its way or was not stored, and which threads are opened. It
 * is in the query cache, so that it goes with everything else at sign-out; what is not stored is on the device too.
 */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import type { Comment } from '#contract/comments/comments.ts'
import { createCommentEndpoint } from '#contract/generated-endpoints.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { generateDocumentId } from '#web/api/ids.ts'
import { commentQueryKeys } from '#web/api/query-keys.ts'
import {
  type PendingComment,
  type ReplyTarget,
  readUnpostedComments,
  saveUnpostedComments,
} from './unposted-comments.ts'

type CommentBox = {
  reply?: ReplyTarget
  pending: readonly PendingComment[]
  openThreads: readonly string[]
  /** The one that was written last, until it has been shown where it stands. */
  posted?: string
}

const openBox = (client: QueryClient, postId: string): CommentBox => ({
  pending: readUnpostedComments(client, postId),
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

function changeBox(client: QueryClient, postId: string, change: (box: CommentBox) => Partial<CommentBox>) {
  const box = boxOf(client, postId)
  const changed = { ...box, ...change(box) }
  client.setQueryData<CommentBox>(commentQueryKeys.box(postId), changed)
  if (changed.pending !== box.pending) saveUnpostedComments(client, postId, changed.pending)
}

const boxOf = (client: QueryClient, postId: string): CommentBox =>
  client.getQueryData<CommentBox>(commentQueryKeys.box(postId)) ?? openBox(client, postId)

export const answerComment = (client: QueryClient, postId: string, reply: ReplyTarget | undefined): void => {
  changeBox(client, postId, () => ({ reply }))
}

export const openThread = (client: QueryClient, postId: string, threadId: string): void => {
  changeBox(client, postId, ({ openThreads }) => ({ openThreads: [...openThreads, threadId] }))
}

export const discardPendingComment = (client: QueryClient, postId: string, commentId: string): void => {
  changeBox(client, postId, ({ pending }) => ({
    pending: pending.filter((one) => one.commentId !== commentId),
  }))
}

/** What became of a comment: refused with words is given back to be written anew, everything else waits to be tried again. */
export type SendResult = 'stored' | 'failed' | 'too-fast' | 'refused'

/** Shows a new comment at once and stores it. */
export function postComment(client: QueryClient, postId: string, content: string): Promise<SendResult> {
  const { reply } = boxOf(client, postId)
  const comment: PendingComment = { commentId: generateDocumentId(), content, reply, state: 'sending' }
  changeBox(client, postId, ({ pending }) => ({
    reply: undefined,
    pending: [...pending, comment],
    posted: comment.commentId,
  }))
  return store(client, postId, comment)
}

/** Sends one again under its id, so that it is stored once. */
export function retryComment(
  client: QueryClient,
  postId: string,
  comment: PendingComment,
): Promise<SendResult> {
  mark(client, postId, comment.commentId, 'sending')
  return store(client, postId, comment)
}

const mark = (client: QueryClient, postId: string, commentId: string, state: PendingComment['state']) =>
  changeBox(client, postId, ({ pending }) => ({
    pending: pending.map((one) => (one.commentId === commentId ? { ...one, state } : one)),
  }))

async function store(client: QueryClient, postId: string, comment: PendingComment): Promise<SendResult> {
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
  if (reply) openThread(client, postId, reply.threadId)
  await reloadComments(client, postId)
  discardPendingComment(client, postId, commentId)
  return 'stored'
}

/** Scrolls to a comment that was just written: an answer may stand far above the box. @returns the ref of the comment's element */
export function useShowPosted(
  postId: string,
  commentId: string,
  isStored = true,
): RefObject<HTMLElement | null> {
  const client = useQueryClient()
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (boxOf(client, postId).posted !== commentId) return
    element.current?.scrollIntoView({ block: 'nearest' })
    if (isStored) changeBox(client, postId, () => ({ posted: undefined }))
  }, [client, postId, commentId, isStored])
  return element
}

/** Loads what is shown under a post as it is now. */
export const reloadComments = (client: QueryClient, postId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: commentQueryKeys.of(postId) })

export const toReplyTarget = (comment: Comment): ReplyTarget => ({
  commentId: comment.$id,
  threadId: comment.parentId ?? comment.$id,
  name: comment.author?.name ?? '',
})
