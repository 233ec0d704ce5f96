import type { QueryClient } from '@tanstack/react-query'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { invalidateGroups, patchCachedGroup, purgeGroupPostsFromCache } from './group-cache.ts'

/** Applies whichever page is open, but keeps the member's own posts. */
export function purgeLeftGroupPosts(
  client: QueryClient,
  me: string | undefined,
  changes: readonly CollectionChange[],
) {
  for (const { collection, kind, document } of changes) {
    if (collection !== 'groupMembers' || kind !== 'delete' || document.userId !== me) continue
    // If the whole group was deleted, the change does not contain its id.
    if (document.groupId !== null) {
      patchCachedGroup(client, document.groupId, () => ({ membership: 'none' }))
      purgeGroupPostsFromCache(client, document.groupId)
    } else void client.invalidateQueries({ queryKey: postQueryKeys.all })
    void invalidateGroups(client)
  }
}
