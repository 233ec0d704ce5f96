import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getRestrictionEndpoint, listRestrictedMembersEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** Newest first. */
export const restrictedMembersQuery = infiniteQueryOptions({
  queryKey: ['restrictions', 'list'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listRestrictedMembersEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Fails immediately while offline, because the menu waits for the answer. */
export const restrictionQuery = (personId: string) =>
  queryOptions({
    queryKey: ['restrictions', 'one', personId] as const,
    queryFn: async ({ signal }) =>
      (await callApiOperation(getRestrictionEndpoint, { personId }, signal)).restricted,
    networkMode: 'always',
    retry: false,
  })
