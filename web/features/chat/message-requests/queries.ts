/** Keys are below those of conversations, so that changes refresh both. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countMessageRequestsEndpoint, listMessageRequestsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'

/** By last message, with restricted members' conversations. */
export const messageRequestsQuery = infiniteQueryOptions({
  queryKey: [...chatQueryKeys.conversations, 'requests'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listMessageRequestsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** With whether restricted members' conversations exist. */
export const messageRequestCountQuery = queryOptions({
  queryKey: [...chatQueryKeys.conversations, 'request-count'] as const,
  queryFn: ({ signal }) => callApiOperation(countMessageRequestsEndpoint, {}, signal),
})
