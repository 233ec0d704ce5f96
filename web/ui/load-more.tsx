import { useEffect, useRef } from 'react'
import { en } from '#contract/language.ts'
import { Button } from './button.tsx'
import { Spinner } from './spinner.tsx'

/** The distance from the end of the list that triggers loading. */
const preloadMargin = '600px'

type Paged = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/**
 * If loading fails, a button loads again.
 * @param props.what the plural noun for the list's entries
 */
export function LoadMore({ query, what }: { query: Paged; what: string }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const sentinel = useRef<HTMLDivElement>(null)
  const waiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError

  useEffect(() => {
    const end = sentinel.current
    if (!waiting || !end) return
    const load = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && fetchNextPage()
    const seen = new IntersectionObserver(load)
    const ahead = new IntersectionObserver(load, { rootMargin: preloadMargin })
    const lookAhead = () => ahead.observe(end)
    seen.observe(end)
    // A capturing listener notices scrolling in any ancestor.
    addEventListener('scroll', lookAhead, { capture: true, once: true })
    return () => {
      seen.disconnect()
      ahead.disconnect()
      removeEventListener('scroll', lookAhead, { capture: true })
    }
  }, [waiting, fetchNextPage])

  if (!hasNextPage) return null
  return (
    <div ref={sentinel} className="grid min-h-20 place-items-center">
      {isFetchNextPageError && !isFetchingNextPage ? (
        <Button kind="outline" onClick={fetchNextPage}>
          {en('Try again', 'Volver a intentar')}
        </Button>
      ) : (
        <p role="status" className="flex items-center gap-2.5 text-label text-text-2">
          <Spinner />
          {en('Loading more ', 'Cargando más ')}
          {what}
        </p>
      )}
    </div>
  )
}
