import type { QueryClient } from '@tanstack/react-query'
import type { PostFormDraft } from './post-form-schema.ts'

/**
 * Keyed by post id, and in memory because edits may contain files. Each query client has its own map, so signing out
 * drops the edits.
 */
const drafts = new WeakMap<QueryClient, Map<string, PostFormDraft>>()

export function storeFailedPostEdit(client: QueryClient, postId: string, draft: PostFormDraft): void {
  const kept = drafts.get(client) ?? new Map<string, PostFormDraft>()
  drafts.set(client, kept.set(postId, draft))
}

export const getFailedPostEdit = (client: QueryClient, postId: string): PostFormDraft | undefined =>
  drafts.get(client)?.get(postId)

export const clearFailedPostEdit = (client: QueryClient, postId: string) => drafts.get(client)?.delete(postId)
