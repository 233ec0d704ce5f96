/** Comments are kept until the member posts or discards them, or signs out. */
import type { QueryClient } from '@tanstack/react-query'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import {
  messageDraftStorageKey,
  readMessageDraft,
  saveMessageDraft,
} from '#web/features/chat/messages/message-drafts.ts'

export type CommentReplyTarget = { commentId: string; threadId: string; name: string }

export type PendingComment = {
  commentId: string
  content: string
  reply: CommentReplyTarget | undefined
  state: 'sending' | 'failed'
}

const unpostedKey = (client: QueryClient, postId: string) =>
  messageDraftStorageKey(
    client.getQueryData(signedInMemberQuery.queryKey)?.accountId ?? '',
    `comment:${postId}:unposted`,
  )

/** An earlier page's comments count as failed: retrying with the same id reveals whether the server stored them. */
export function readStoredPendingComments(client: QueryClient, postId: string): readonly PendingComment[] {
  const kept = readMessageDraft(unpostedKey(client, postId))
  return kept
    ? (JSON.parse(kept) as PendingComment[]).map((comment) => ({ ...comment, state: 'failed' }))
    : []
}

export const storePendingComments = (
  client: QueryClient,
  postId: string,
  comments: readonly PendingComment[],
): void => saveMessageDraft(unpostedKey(client, postId), comments.length > 0 ? JSON.stringify(comments) : '')
