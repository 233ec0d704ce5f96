import type { QueryClient } from '@tanstack/react-query'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { invalidateGroups, patchCachedGroup, purgeGroupPostsFromCache } from './group-cache.ts'

/** Removes others' posts of a group the member left, on any page. */
export function purgeLeftGroupPosts(
  client: QueryClient,
  me: string | undefined,
  changes: readonly CollectionChange[],
) {
  for (const { collection, kind, document } of changes) {
    if (collection !== 'groupMembers' || kind !== 'delete' || document.userId !== me) continue
    // A deleted group's id is missing in the change.
    if (document.groupId !== null) {
      // Shows the group as to visitors at once, instead of requesting refused posts.
      patchCachedGroup(client, document.groupId, () => ({ membership: 'none' }))
      purgeGroupPostsFromCache(client, document.groupId)
    } else void client.invalidateQueries({ queryKey: postQueryKeys.all })
    void invalidateGroups(client)
  }
}
