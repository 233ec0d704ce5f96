import type { InfiniteData } from '@tanstack/react-query'
import type { PostPage } from '#contract/posts/posts.ts'
import { flattenPostPages } from './queries.ts'

/** Edited and skipped posts do not count. */
export function hasNewerPosts(list: InfiniteData<PostPage> | undefined, page: PostPage): boolean {
  if (!list) return false
  const newest = flattenPostPages(list).reduce(
    (latest, post) => (post.$createdAt > latest ? post.$createdAt : latest),
    '',
  )
  return page.documents.some((post) => post.$createdAt > newest)
}

/** The shortest time between two checks of a list. */
export const newPostsThrottleMs = 30_000

/** Does nothing while the page is hidden. */
export function createNewPostsThrottle(work: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY
  const start = () => {
    timer = undefined
    if (document.visibilityState !== 'visible') return
    last = Date.now()
    // A failed check is repeated at the next change or visit.
    work().catch(() => {})
  }
  return {
    run: () => {
      timer ??= setTimeout(start, Math.max(0, last + newPostsThrottleMs - Date.now()))
    },
    stop: () => clearTimeout(timer),
  }
}
