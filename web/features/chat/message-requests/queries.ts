/** The keys start with the conversations' key, so a changed conversation also reloads the requests. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countMessageRequestsEndpoint, listMessageRequestsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'

/** Also includes conversations with restricted members. Ordered by last message. */
export const messageRequestsQuery = infiniteQueryOptions({
  queryKey: [...chatQueryKeys.conversations, 'requests'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listMessageRequestsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const messageRequestCountQuery = queryOptions({
  queryKey: [...chatQueryKeys.conversations, 'request-count'] as const,
  queryFn: ({ signal }) => callApiOperation(countMessageRequestsEndpoint, {}, signal),
})
