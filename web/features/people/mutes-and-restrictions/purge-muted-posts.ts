import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import { muteQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { getQueryUpdatedAt } from '#web/features/posts/post-cache.ts'

type Cached = InfiniteData<PostPage> | { documents: Post[] } | Post[]

/** Saved and liked posts, profiles and groups still show muted members. */
const quietened: readonly QueryKey[] = [
  postQueryKeys.feed,
  postQueryKeys.explore,
  postQueryKeys.searches,
  postQueryKeys.topics,
]

/** Running requests may still contain such posts, so the lists also reload. */
export function purgeMutedPostsFromCache(client: QueryClient, personId: string): void {
  // Data outside the cache needs these ids, such as the newest page that a list offers.
  client.setQueryData<string[]>(muteQueryKeys.justMuted, (ids = []) => [...ids, personId])
  const received = (posts: Post[]) => posts.filter(({ creator }) => creator?.$id !== personId)
  for (const queryKey of quietened) {
    for (const { queryKey: key } of client.getQueryCache().findAll({ queryKey }))
      client.setQueryData<Cached>(key, (cached) => cached && withoutMuted(cached, received), {
        updatedAt: getQueryUpdatedAt(client, key),
      })
    void client.invalidateQueries({ queryKey })
  }
}

function withoutMuted(cached: Cached, received: (posts: Post[]) => Post[]): Cached {
  if (Array.isArray(cached)) return received(cached)
  if ('pages' in cached)
    return {
      ...cached,
      pages: cached.pages.map((page) => ({ ...page, documents: received(page.documents) })),
    }
  return { ...cached, documents: received(cached.documents) }
}
