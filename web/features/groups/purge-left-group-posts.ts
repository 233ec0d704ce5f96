import type { QueryClient } from '@tanstack/react-query'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { invalidateGroups, patchCachedGroup, purgeGroupPostsFromCache } from './group-cache.ts'

/**
 * Removes other members' posts of a group from the cache when the member has left it or was removed, on whatever page.
 */
export function purgeLeftGroupPosts(
  client: QueryClient,
  me: string | undefined,
  changes: readonly CollectionChange[],
) {
  for (const { collection, kind, document } of changes) {
    if (collection !== 'groupMembers' || kind !== 'delete' || document.userId !== me) continue
    // A deleted group's id is not in the change.
    if (document.groupId !== null) {
      // Shows the group's page as a visitor's at once, instead of requesting posts that would be refused.
      patchCachedGroup(client, document.groupId, () => ({ membership: 'none' }))
      purgeGroupPostsFromCache(client, document.groupId)
    } else void client.invalidateQueries({ queryKey: postQueryKeys.all })
    void invalidateGroups(client)
  }
}
