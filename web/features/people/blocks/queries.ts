import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listBlocksEndpoint, previewBlockEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { blockQueryKeys } from '#web/api/query-keys.ts'

/** The blocked people, newest first. */
export const blockedMembersQuery = infiniteQueryOptions({
  queryKey: blockQueryKeys.list,
  queryFn: ({ pageParam, signal }) => callApiOperation(listBlocksEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/**
 * The groups that the member shares with a person. Fails if the person is not visible to the member, who can still
 * block them.
 */
export const blockPreviewQuery = (personId: string) =>
  queryOptions({
    queryKey: blockQueryKeys.preview(personId),
    queryFn: ({ signal }) => callApiOperation(previewBlockEndpoint, { personId }, signal),
    retry: 1,
  })
