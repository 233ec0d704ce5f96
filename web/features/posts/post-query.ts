import { queryOptions } from '@tanstack/react-query'
import { getPost } from '#contract/routes.ts'
import { ApiError, call } from '#web/api.ts'
import { dropPost } from './post-cache.ts'
import { postKeys } from './queries.ts'

/** One post. Where it turns out to be gone, or closed to her, no list shows it any longer. */
export const postQuery = (postId: string) =>
  queryOptions({
    queryKey: postKeys.one(postId),
    queryFn: async ({ client, signal }) => {
      try {
        return await call(getPost, { postId }, signal)
      } catch (error) {
        if (isGone(error) || isClosed(error)) dropPost(client, postKeys.all, postId)
        throw error
      }
    },
  })

/** There is no such post, or none any more; an id that cannot be one says the same. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.field === 'postId')

/** A post of a group that she is not in (row PDET-17). */
export const isClosed = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'group_membership_required'
