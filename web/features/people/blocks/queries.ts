/** Queries of blocks: the member's own list, and what a block of somebody would mean. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listBlocksEndpoint, previewBlockEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { blockQueryKeys } from '#web/api/query-keys.ts'

/** Whom the member has blocked, newest first. */
export const blockedMembersQuery = infiniteQueryOptions({
  queryKey: blockQueryKeys.list,
  queryFn: ({ pageParam, signal }) => callApiOperation(listBlocksEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** The groups both are in. Fails for somebody out of sight, who can still be blocked. */
export const blockPreviewQuery = (personId: string) =>
  queryOptions({
    queryKey: blockQueryKeys.preview(personId),
    queryFn: ({ signal }) => callApiOperation(previewBlockEndpoint, { personId }, signal),
    retry: 1,
  })
