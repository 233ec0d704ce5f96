/** Queries of mutes: the member's own list, and whether a person is in it. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getMuteEndpoint, listMutedMembersEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { muteQueryKeys } from '#web/api/query-keys.ts'

/** Whom the member has muted, newest first. */
export const mutedMembersQuery = infiniteQueryOptions({
  queryKey: muteQueryKeys.list,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listMutedMembersEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Whether the member has muted this person. The menu waits for it, so it fails at once where there is no network. */
export const muteQuery = (personId: string) =>
  queryOptions({
    queryKey: muteQueryKeys.one(personId),
    queryFn: async ({ signal }) => (await callApiOperation(getMuteEndpoint, { personId }, signal)).muted,
    networkMode: 'always',
    retry: false,
  })
