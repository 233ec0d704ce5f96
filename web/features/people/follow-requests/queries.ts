import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countFollowRequestsEndpoint, listFollowRequestsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { followRequestQueryKeys } from '#web/api/query-keys.ts'

export const followRequestsQuery = infiniteQueryOptions({
  queryKey: followRequestQueryKeys.list,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listFollowRequestsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const followRequestCountQuery = queryOptions({
  queryKey: followRequestQueryKeys.count,
  queryFn: async ({ signal }) => (await callApiOperation(countFollowRequestsEndpoint, {}, signal)).count,
})
