import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'
import { LoadMorePosts } from '../load-more-posts.tsx'
import { PostCard } from '../post-card.tsx'
import { PostCardSkeleton } from '../post-card-skeleton.tsx'
import { flattenPostPages } from '../queries.ts'
import type { PostPagesResult } from '../use-post-pages.ts'

type Props = {
  query: PostPagesResult
  afterFirst: ReactNode
}

/** The first cards fill a large window. The others follow immediately. */
const firstPaintCards = 2
let painting = true

/** False only during the app's first paint. Later, restoring the scroll position needs the whole list. */
function useAfterFirstPaint(): boolean {
  const [whole, setWhole] = useState(!painting)
  useEffect(() => {
    painting = false
    void waitForNextPaint().then(() => startTransition(() => setWhole(true)))
  }, [])
  return whole
}

export function HomeFeed({ query, afterFirst }: Props) {
  return (
    <QueryView
      query={query}
      skeleton={
        <div className="space-y-3 md:space-y-5">
          <PostCardSkeleton />
          <PostCardSkeleton />
        </div>
      }
      failure={
        <>
          <div className="card">
            <ErrorState text={en('Something bad happened', 'Ha pasado algo malo')} onRetry={query.refetch} />
          </div>
          {afterFirst}
        </>
      }
      isEmpty={(data) => shown(data).length === 0 && !query.hasNextPage}
      empty={
        <>
          <div className="card">
            <EmptyState
              title={en('No posts available', 'No hay publicaciones')}
              text={en(
                'Follow other users or create your first post to see content here.',
                'Sigue a otras o crea tu primera publicación para ver algo aquí.',
              )}
            >
              <div className="flex flex-wrap justify-center gap-2.5">
                <ButtonLink to={screenPaths.explore()} state="people">
                  {en('Explore users to follow →', 'Explora a quién seguir →')}
                </ButtonLink>
                <ButtonLink to={screenPaths.people()} kind="outline">
                  {en('Find people', 'Buscar personas')}
                </ButtonLink>
              </div>
            </EmptyState>
          </div>
          {afterFirst}
        </>
      }
      noticeClassName="mb-3 md:mb-5"
    >
      {(data) => <LoadedFeed {...{ query, data, afterFirst }} />}
    </QueryView>
  )
}

type LoadedProps = Props & { data: NonNullable<PostPagesResult['data']> }

function LoadedFeed({ query, data, afterFirst }: LoadedProps) {
  const whole = useAfterFirstPaint()
  return (
    <div className="space-y-3 md:space-y-5">
      {shown(data, whole ? undefined : firstPaintCards).map((post, position) => (
        <Fragment key={post.$id}>
          <PostCard post={post} first={position === 0} />
          {position === 0 && afterFirst}
        </Fragment>
      ))}
      {whole && <LoadMorePosts query={query} />}
      {whole && !query.hasNextPage && <End />}
    </div>
  )
}

const shown = (data: Parameters<typeof flattenPostPages>[0], atMost?: number) =>
  flattenPostPages(data)
    .filter((post) => post.creator)
    .slice(0, atMost)

function End() {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-1.5 pt-2 text-center text-label text-text-2">
      {en('That’s all for now.', 'Eso es todo por ahora.')}
      <Link
        to={screenPaths.explore()}
        className="inline-flex min-h-11 items-center font-[620] text-brand-text underline underline-offset-4"
      >
        {en('Explore more posts', 'Explorar más publicaciones')}
      </Link>
    </p>
  )
}
