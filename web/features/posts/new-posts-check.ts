/** What came since a list of posts was loaded. */
import type { InfiniteData } from '@tanstack/react-query'
import type { PostPage } from '#contract/posts/posts.ts'
import { flattenPostPages } from './queries.ts'

/** Says whether `page` has a post that is newer than all of the list; an edited or a passed-over older one is not. */
export function hasNewerPosts(list: InfiniteData<PostPage> | undefined, page: PostPage): boolean {
  if (!list) return false
  const newest = flattenPostPages(list).reduce(
    (latest, post) => (post.$createdAt > latest ? post.$createdAt : latest),
    '',
  )
  return page.documents.some((post) => post.$createdAt > newest)
}

/** How often a list is asked for at most, however much is posted (ms). */
export const newPostsThrottleMs = 30_000

/** Runs `work` at once, and again at most every `newPostsThrottleMs` while it is asked for; in a hidden page not at all. */
export function createNewPostsThrottle(work: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY
  const start = () => {
    timer = undefined
    if (document.visibilityState !== 'visible') return
    last = Date.now()
    // Whoever reads on misses nothing: the next change or the next visit asks again.
    work().catch(() => {})
  }
  return {
    run: () => {
      timer ??= setTimeout(start, Math.max(0, last + newPostsThrottleMs - Date.now()))
    },
    stop: () => clearTimeout(timer),
  }
}
