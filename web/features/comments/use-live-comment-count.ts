/** Keeps the number of a post's comments as it is on the server while the element that shows it is in sight. */
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { getPostEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { patchCachedPost } from '#web/features/posts/post-cache.ts'
import { subscribeToLiveChanges } from '#web/realtime/live-connection.ts'

/** How long changes of one post are gathered before its number is loaded (ms): many comment at once on what many look at. */
const gatherMs = 600

/** Loads the number after the post has changed: at once where the element is in sight, else when it comes into sight. */
export function useLiveCommentCount(postId: string, element: RefObject<Element | null>): void {
  const client = useQueryClient()
  useEffect(() => {
    const watched = element.current
    if (!watched) return
    let isInSight = false
    let isStale = false
    let timer: ReturnType<typeof setTimeout> | undefined

    async function load() {
      timer = undefined
      isStale = false
      // What went wrong, or out of sight, is told by what shows the post.
      const post = await callApiOperation(getPostEndpoint, { postId }).catch(() => undefined)
      if (post)
        patchCachedPost(client, postId, () => ({
          commentCount: post.commentCount,
          commentsFrom: post.commentsFrom,
        }))
    }
    const loadSoon = () => {
      if (isStale && isInSight) timer ??= setTimeout(load, gatherMs)
    }
    const become = () => {
      isStale = true
      loadSoon()
    }
    const sight = new IntersectionObserver(([entry]) => {
      isInSight = entry?.isIntersecting ?? false
      loadSoon()
    })
    sight.observe(watched)
    const end = subscribeToLiveChanges({
      changed: (changes) => {
        const isChanged = changes.some(
          ({ collection, kind, document }) =>
            collection === 'posts' && kind === 'update' && document.$id === postId,
        )
        if (isChanged) become()
      },
    })
    return () => {
      end()
      sight.disconnect()
      clearTimeout(timer)
    }
  }, [client, postId, element])
}
