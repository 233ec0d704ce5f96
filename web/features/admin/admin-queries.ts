import { infiniteQueryOptions } from '@tanstack/react-query'
import { listOperatorActsEndpoint, listPublicOperatorActsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { adminQueryKeys } from '#web/api/query-keys.ts'

/** Newest first. */
export const operatorActsQuery = infiniteQueryOptions({
  queryKey: adminQueryKeys.acts,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listOperatorActsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  // Commands and other operators add to it.
  staleTime: 0,
})

/** What members see of it. */
export const publicOperatorActsQuery = infiniteQueryOptions({
  queryKey: adminQueryKeys.publicActs,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listPublicOperatorActsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})
