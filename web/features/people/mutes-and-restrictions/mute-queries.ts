import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getMuteEndpoint, listMutedMembersEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { muteQueryKeys } from '#web/api/query-keys.ts'

export const mutedMembersQuery = infiniteQueryOptions({
  queryKey: muteQueryKeys.list,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listMutedMembersEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Fails immediately while offline, because the menu waits for the response. */
export const muteQuery = (personId: string) =>
  queryOptions({
    queryKey: muteQueryKeys.one(personId),
    queryFn: async ({ signal }) => (await callApiOperation(getMuteEndpoint, { personId }, signal)).muted,
    networkMode: 'always',
    retry: false,
  })
