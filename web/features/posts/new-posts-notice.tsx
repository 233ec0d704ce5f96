import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import type { PostPage } from '#contract/posts/posts.ts'
import { muteQueryKeys } from '#web/api/query-keys.ts'
import { subscribeToLiveChanges } from '#web/realtime/live-connection.ts'
import { Button } from '#web/ui/button.tsx'
import { scrollToTop } from '#web/ui/scroll-to-top.ts'
import { createNewPostsThrottle, hasNewerPosts } from './new-posts-check.ts'
import type { PostPagesQuery } from './queries.ts'

type Props = {
  query: Pick<PostPagesQuery, 'queryKey'>
  newest: () => Promise<PostPage>
}

/** A deletion in these collections may hide posts. */
const mayHide: readonly string[] = ['users', 'posts']

/** Inserting new posts would move the page under the reader. */
export function NewPostsNotice({ query, newest }: Props) {
  const { queryKey } = query
  const client = useQueryClient()
  const [arrived, setArrived] = useState<PostPage>()
  const newestPage = useRef(newest)
  newestPage.current = newest

  useEffect(() => {
    let purges = 0
    const throttle = createNewPostsThrottle(async () => {
      const before = purges
      const page = await newestPage.current()
      // Posts were hidden during the request, so the page may contain them.
      if (before !== purges) return
      setArrived(hasNewerPosts(client.getQueryData(queryKey), page) ? page : undefined)
    })
    const stopListening = subscribeToLiveChanges({
      changed: (changes) => {
        if (changes.some(({ collection, kind }) => mayHide.includes(collection) && kind === 'delete')) {
          purges += 1
          setArrived(undefined)
        }
        if (changes.some(({ collection, kind }) => collection === 'posts' && kind === 'create'))
          throttle.run()
      },
      resync: throttle.run,
    })
    const onReturn = () => document.visibilityState === 'visible' && throttle.run()
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      throttle.stop()
      stopListening()
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [client, queryKey])

  // The list may have loaded the new posts, or the member may have muted an author.
  const muted = client.getQueryData<string[]>(muteQueryKeys.justMuted) ?? []
  const received = arrived && {
    ...arrived,
    documents: arrived.documents.filter(({ creator }) => !muted.includes(creator?.$id ?? '')),
  }
  const offered = received && hasNewerPosts(client.getQueryData(queryKey), received) ? received : undefined

  function show(page: PostPage) {
    client.setQueryData(queryKey, { pages: [page], pageParams: [undefined] })
    setArrived(undefined)
    scrollToTop()
    document.getElementById('content')?.focus({ preventScroll: true })
  }

  return (
    <div
      role="status"
      className="pointer-events-none sticky top-17 z-20 flex h-0 items-start justify-center md:top-5"
    >
      {offered && (
        <Button
          kind="outline"
          onClick={() => show(offered)}
          className="pointer-events-auto animate-rise bg-surface shadow-float"
        >
          <ArrowUp aria-hidden size={18} strokeWidth={2} />
          {en('New posts', 'Publicaciones nuevas')}
        </Button>
      )}
    </div>
  )
}
