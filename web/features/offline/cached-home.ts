import type { CurrentMember } from '#contract/people/people.ts'
import type { Post } from '#contract/posts/posts.ts'
import { cachedHomeAddress, offlineCacheName } from '#web/service-worker/offline-cache-names.ts'

const keptMs = 48 * 60 * 60_000

export type CachedHome = {
  /** Milliseconds since 1970. */
  savedAt: number
  me: CurrentMember
  posts: Post[]
  leavesOutGroups: boolean
}

/** @returns null if nothing is stored or the posts are too old */
export async function readCachedHome(): Promise<CachedHome | null> {
  if (!(await caches.has(offlineCacheName))) return null
  const cache = await caches.open(offlineCacheName)
  const kept: CachedHome | undefined = await (await cache.match(cachedHomeAddress))?.json()
  if (kept && kept.savedAt > Date.now() - keptMs) return kept
  await caches.delete(offlineCacheName)
  return null
}
