/** Removes a muted member's posts from the lists that leave the muted out. */

import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import { muteQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { getQueryUpdatedAt } from '#web/features/posts/post-cache.ts'

type Cached = InfiniteData<PostPage> | { documents: Post[] } | Post[]

/** The lists of the server's that do; saved and liked posts, a profile's and a group's own stay as they are. */
const quietened: readonly QueryKey[] = [
  postQueryKeys.feed,
  postQueryKeys.explore,
  postQueryKeys.searches,
  postQueryKeys.topics,
]

/** Takes the posts out at once and loads the lists again: a page that was on its way may still hold some. */
export function purgeMutedPostsFromCache(client: QueryClient, personId: string): void {
  // For what is loaded beside the cache, as the newest page that a list offers.
  client.setQueryData<string[]>(muteQueryKeys.justMuted, (ids = []) => [...ids, personId])
  const heard = (posts: Post[]) => posts.filter(({ creator }) => creator?.$id !== personId)
  for (const queryKey of quietened) {
    for (const { queryKey: key } of client.getQueryCache().findAll({ queryKey }))
      client.setQueryData<Cached>(key, (cached) => cached && withoutMuted(cached, heard), {
        updatedAt: getQueryUpdatedAt(client, key),
      })
    void client.invalidateQueries({ queryKey })
  }
}

function withoutMuted(cached: Cached, heard: (posts: Post[]) => Post[]): Cached {
  if (Array.isArray(cached)) return heard(cached)
  if ('pages' in cached)
    return { ...cached, pages: cached.pages.map((page) => ({ ...page, documents: heard(page.documents) })) }
  return { ...cached, documents: heard(cached.documents) }
}
