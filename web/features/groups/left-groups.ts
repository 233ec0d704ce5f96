import type { QueryClient } from '@tanstack/react-query'
import type { Changed } from '#contract/live.ts'
import { postKeys } from '#web/features/posts/queries.ts'
import { forgetPosts, groupsChanged, patchGroup } from './cache.ts'

/** On whatever page she is: once she hears that she is out of a group, nothing of the others' posts there stays. */
export function forgetLeftGroups(client: QueryClient, me: string | undefined, changes: readonly Changed[]) {
  for (const { collection, kind, document } of changes) {
    if (collection !== 'groupMembers' || kind !== 'delete' || document.userId !== me) continue
    // Where the group itself is gone, nobody knows its id any more.
    if (typeof document.groupId === 'string') {
      // The group's own page says so at once, instead of asking for posts that it would be refused.
      patchGroup(client, document.groupId, () => ({ membership: 'none' }))
      forgetPosts(client, document.groupId)
    } else void client.invalidateQueries({ queryKey: postKeys.all })
    void groupsChanged(client)
  }
}
