import { queryOptions } from '@tanstack/react-query'
import { previewAudienceEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys } from '#web/api/query-keys.ts'

/**
 * The audience is never cached, and reloads when a group changes.
 * @param groupId empty outside groups
 */
export const audienceQuery = (groupId: string, postId: string | undefined) =>
  queryOptions({
    queryKey: [...groupQueryKeys.all, 'audience', groupId, postId],
    queryFn: ({ signal }) =>
      callApiOperation(previewAudienceEndpoint, { groupId: groupId || undefined, postId }, signal),
    staleTime: 0,
    gcTime: 0,
  })
