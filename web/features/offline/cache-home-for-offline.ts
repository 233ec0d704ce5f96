import { hashKey, type QueryClient } from '@tanstack/react-query'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import {
  maxOfflinePictureWidth,
  offlineCacheHeader,
  offlineCachePublic,
} from '#contract/posts/offline-cache-header.ts'
import type { Post } from '#contract/posts/posts.ts'
import { type SignedInMember, signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { flattenPostPages, homeFeedQuery } from '#web/features/posts/queries.ts'
import { subscribeToLiveChanges } from '#web/realtime/live-connection.ts'
import { cachedHomeAddress, offlineCacheName } from '#web/service-worker/offline-cache-names.ts'
import type { CachedHome } from './cached-home.ts'
import { getOfflineHome } from './offline-home-state.ts'

/** The posts on one page of Home. */
const maxKeptPosts = 20
/** The wait after Home's last change. */
const keepDelayMs = 1500
const feedHash = hashKey(homeFeedQuery.queryKey)

/**
 * Stores only public posts whose pictures the server allows to store. Asks again when an account changes, because it
 * may have become private.
 * @returns a function that stops the caching
 */
export function cacheHomeForOffline(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  /** Whether each picture may be stored, as the server has said since the last change of an account. */
  const answered = new Map<string, boolean>()
  let writing = Promise.resolve()

  function schedule() {
    clearTimeout(timer)
    timer = setTimeout(() => {
      writing = writing.then(keep).catch(() => {})
    }, keepDelayMs)
  }

  async function keep() {
    const feed = client.getQueryData(homeFeedQuery.queryKey)
    const me = client.getQueryData(signedInMemberQuery.queryKey)
    if (stopped || !feed || !me || !navigator.onLine || getOfflineHome()) return
    const shown = flattenPostPages(feed).slice(0, maxKeptPosts)
    const cache = await caches.open(offlineCacheName)
    const keepPicture = async (imageId: string) => {
      const url = imageVariantUrl(imageId, maxOfflinePictureWidth)
      const known = answered.get(url)
      if (known !== undefined && (!known || (await cache.match(url, { ignoreVary: true })))) return known
      const answer = await fetch(url)
      const may = answer.ok && answer.headers.get(offlineCacheHeader) === offlineCachePublic
      if (may && !stopped) await cache.put(url, answer)
      answered.set(url, may)
      return may
    }
    const posts: Post[] = []
    const pictures = new Set<string>()
    for (const post of shown) {
      const { creator, imageId, photos } = post
      if (post.groupId || post.hidden || post.blocked || !creator || !(await keepPicture(imageId))) continue
      pictures.add(imageVariantUrl(imageId, maxOfflinePictureWidth))
      for (const face of [creator.imageId, me.imageId])
        if (face && (await keepPicture(face))) pictures.add(imageVariantUrl(face, maxOfflinePictureWidth))
      posts.push({ ...post, photos: photos.slice(0, 1), people: undefined, receipt: undefined })
    }
    if (stopped) return
    const kept: CachedHome = {
      savedAt: client.getQueryState(homeFeedQuery.queryKey)?.dataUpdatedAt ?? Date.now(),
      me: withoutSettings(me),
      posts,
      leavesOutGroups: shown.some(({ groupId }) => groupId),
    }
    await cache.put(cachedHomeAddress, Response.json(kept))
    for (const { url } of await cache.keys()) {
      const { pathname, search } = new URL(url)
      if (pathname !== cachedHomeAddress && !pictures.has(pathname + search)) await cache.delete(url)
    }
    if (stopped) await caches.delete(offlineCacheName)
  }

  const stopListening = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === feedHash) schedule()
  })
  const askAnew = () => {
    answered.clear()
    schedule()
  }
  const stopHearing = subscribeToLiveChanges({
    changed(changes) {
      if (changes.some(({ collection, kind }) => collection === 'users' && kind === 'update')) askAnew()
    },
    resync: askAnew,
  })
  schedule()
  return () => {
    stopped = true
    clearTimeout(timer)
    stopListening()
    stopHearing()
  }
}

/** The stored copy omits the email address and the settings. */
const withoutSettings = ({ quickExit: _, altReminder: __, showsTyping: ___, ...me }: SignedInMember) => ({
  ...me,
  email: '',
  moderates: undefined,
  operates: undefined,
  invites: undefined,
  unreadHouseRules: undefined,
  welcome: undefined,
  announcement: undefined,
})
