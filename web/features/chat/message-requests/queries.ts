/** Queries of message requests. Their keys are under those of conversations, so that a change of one refreshes them. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countMessageRequestsEndpoint, listMessageRequestsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'

/** What waits for the member's answer, and conversations with restricted members, by last message. */
export const messageRequestsQuery = infiniteQueryOptions({
  queryKey: [...chatQueryKeys.conversations, 'requests'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listMessageRequestsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** How many wait, and whether there are conversations with restricted members. */
export const messageRequestCountQuery = queryOptions({
  queryKey: [...chatQueryKeys.conversations, 'request-count'] as const,
  queryFn: ({ signal }) => callApiOperation(countMessageRequestsEndpoint, {}, signal),
})
