/** What this device keeps of Home, as it was shown last. */
import type { CurrentMember } from '#contract/people.ts'
import type { Post } from '#contract/posts.ts'
import { keptCacheName, keptHomeAddress } from '#web/service-worker/kept-cache.ts'

/** How long it may be shown (ms). */
const keptMs = 48 * 60 * 60_000

export type KeptHome = {
  /** Milliseconds since 1970. */
  savedAt: number
  me: CurrentMember
  posts: Post[]
  /** Whether there were posts of groups, which are not kept. */
  leavesOutGroups: boolean
}

/** @returns null where nothing is kept, or for too long */
export async function readKeptHome(): Promise<KeptHome | null> {
  if (!(await caches.has(keptCacheName))) return null
  const cache = await caches.open(keptCacheName)
  const kept: KeptHome | undefined = await (await cache.match(keptHomeAddress))?.json()
  if (kept && kept.savedAt > Date.now() - keptMs) return kept
  await caches.delete(keptCacheName)
  return null
}
