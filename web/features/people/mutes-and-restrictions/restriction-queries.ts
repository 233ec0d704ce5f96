/** Queries of restrictions: the member's own list, and whether a person is in it. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getRestrictionEndpoint, listRestrictedMembersEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** Whom the member has restricted, newest first. */
export const restrictedMembersQuery = infiniteQueryOptions({
  queryKey: ['restrictions', 'list'] as const,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listRestrictedMembersEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Whether the member has restricted this person. The menu waits for it, so it fails at once where there is no network. */
export const restrictionQuery = (personId: string) =>
  queryOptions({
    queryKey: ['restrictions', 'one', personId] as const,
    queryFn: async ({ signal }) =>
      (await callApiOperation(getRestrictionEndpoint, { personId }, signal)).restricted,
    networkMode: 'always',
    retry: false,
  })
