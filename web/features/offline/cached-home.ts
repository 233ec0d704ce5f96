/** Home as stored on this device. */
import type { CurrentMember } from '#contract/people/people.ts'
import type { Post } from '#contract/posts/posts.ts'
import { cachedHomeAddress, offlineCacheName } from '#web/service-worker/offline-cache-names.ts'

/** Maximum age (ms). */
const keptMs = 48 * 60 * 60_000

export type CachedHome = {
  /** Milliseconds since 1970. */
  savedAt: number
  me: CurrentMember
  posts: Post[]
  /** Whether group posts, which are not stored, were omitted. */
  leavesOutGroups: boolean
}

/** @returns null if nothing recent is stored */
export async function readCachedHome(): Promise<CachedHome | null> {
  if (!(await caches.has(offlineCacheName))) return null
  const cache = await caches.open(offlineCacheName)
  const kept: CachedHome | undefined = await (await cache.match(cachedHomeAddress))?.json()
  if (kept && kept.savedAt > Date.now() - keptMs) return kept
  await caches.delete(offlineCacheName)
  return null
}
