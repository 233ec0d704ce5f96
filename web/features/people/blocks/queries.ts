import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listBlocksEndpoint, previewBlockEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { blockQueryKeys } from '#web/api/query-keys.ts'

/** Newest first. */
export const blockedMembersQuery = infiniteQueryOptions({
  queryKey: blockQueryKeys.list,
  queryFn: ({ pageParam, signal }) => callApiOperation(listBlocksEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** Fails if the person is hidden from the member, who can still block them. */
export const blockPreviewQuery = (personId: string) =>
  queryOptions({
    queryKey: blockQueryKeys.preview(personId),
    queryFn: ({ signal }) => callApiOperation(previewBlockEndpoint, { personId }, signal),
    retry: 1,
  })
