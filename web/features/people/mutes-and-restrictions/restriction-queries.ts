import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getRestrictionEndpoint, listRestrictedMembersEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

export const restrictedMembersQuery = infiniteQueryOptions({
  queryKey: ['restrictions', 'list'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listRestrictedMembersEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const restrictionQuery = (personId: string) =>
  queryOptions({
    queryKey: ['restrictions', 'one', personId] as const,
    queryFn: async ({ signal }) =>
      (await callApiOperation(getRestrictionEndpoint, { personId }, signal)).restricted,
    networkMode: 'always',
    retry: false,
  })
