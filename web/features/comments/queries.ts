import { infiniteQueryOptions } from '@tanstack/react-query'
import { listCommentsEndpoint, listRepliesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { commentQueryKeys } from '#web/api/query-keys.ts'

/** The first page has the newest threads; further pages go back. */
export const commentsQuery = (postId: string) =>
  infiniteQueryOptions({
    queryKey: commentQueryKeys.of(postId),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listCommentsEndpoint, { postId, before: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

/** The replies are oldest first. */
export const repliesQuery = (postId: string, threadId: string) =>
  infiniteQueryOptions({
    queryKey: commentQueryKeys.replies(postId, threadId),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listRepliesEndpoint, { commentId: threadId, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
