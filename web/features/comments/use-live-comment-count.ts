import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { getPostEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { patchCachedPost } from '#web/features/posts/post-cache.ts'
import { subscribeToLiveChanges } from '#web/realtime/live-connection.ts'

/** Changes of a popular post are batched for this long. */
const gatherMs = 600

/** Reloads the count after a live change: at once if the element is visible, otherwise when it scrolls into view. */
export function useLiveCommentCount(postId: string, element: RefObject<Element | null>): void {
  const client = useQueryClient()
  useEffect(() => {
    const watched = element.current
    if (!watched) return
    let isVisible = false
    let isStale = false
    let timer: ReturnType<typeof setTimeout> | undefined

    async function load() {
      timer = undefined
      isStale = false
      const post = await callApiOperation(getPostEndpoint, { postId }).catch(() => undefined)
      if (post)
        patchCachedPost(client, postId, () => ({
          commentCount: post.commentCount,
          commentsFrom: post.commentsFrom,
        }))
    }
    const loadSoon = () => {
      if (isStale && isVisible) timer ??= setTimeout(load, gatherMs)
    }
    const become = () => {
      isStale = true
      loadSoon()
    }
    const sight = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? false
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
