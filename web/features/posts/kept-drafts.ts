import type { QueryClient } from '@tanstack/react-query'
import type { PostDraft } from './post-draft.ts'

/**
 * What could not be saved, by the post it is for (conflict C-20): in memory only, for it may hold a picture, and beside the
 * member's own cache, so that it is gone with her.
 */
const drafts = new WeakMap<QueryClient, Map<string, PostDraft>>()

export function keepDraft(client: QueryClient, postId: string, draft: PostDraft): void {
  const kept = drafts.get(client) ?? new Map<string, PostDraft>()
  drafts.set(client, kept.set(postId, draft))
}

export const keptDraft = (client: QueryClient, postId: string): PostDraft | undefined =>
  drafts.get(client)?.get(postId)

export const dropDraft = (client: QueryClient, postId: string) => drafts.get(client)?.delete(postId)
