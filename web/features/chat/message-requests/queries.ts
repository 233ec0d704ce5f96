/**
 * The query keys start with the key of the conversations, so that a change of a conversation also reloads the requests.
 */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countMessageRequestsEndpoint, listMessageRequestsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'

/** Message requests and the conversations with restricted members, ordered by last message. */
export const messageRequestsQuery = infiniteQueryOptions({
  queryKey: [...chatQueryKeys.conversations, 'requests'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listMessageRequestsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** The number of message requests, and whether there are conversations with restricted members. */
export const messageRequestCountQuery = queryOptions({
  queryKey: [...chatQueryKeys.conversations, 'request-count'] as const,
  queryFn: ({ signal }) => callApiOperation(countMessageRequestsEndpoint, {}, signal),
})
