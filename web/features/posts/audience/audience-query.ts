import { queryOptions } from '@tanstack/react-query'
import { previewAudienceEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys } from '#web/api/query-keys.ts'

/**
 * Who could read a post now. It is never kept, so that no number of another moment is shown, and asked again with everything about
 * groups.
 * @param groupId empty outside groups
 * @param postId of the post that is edited
 */
export const audienceQuery = (groupId: string, postId: string | undefined) =>
  queryOptions({
    queryKey: [...groupQueryKeys.all, 'audience', groupId, postId],
    queryFn: ({ signal }) =>
      callApiOperation(previewAudienceEndpoint, { groupId: groupId || undefined, postId }, signal),
    staleTime: 0,
    gcTime: 0,
  })
