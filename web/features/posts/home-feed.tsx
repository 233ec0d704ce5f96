import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Post } from '#contract/posts.ts'
import { paths } from '#web/paths.ts'
import { isLoading } from '#web/query-state.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { painted } from '#web/ui/painted.ts'
import { SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { PostCard } from './post-card.tsx'
import { PostCardSkeleton } from './post-card-skeleton.tsx'

type Props = {
  query: UseQueryResult<{ documents: Post[] }>
  /** Stands after the first post, or after what stands in its place. */
  afterFirst: ReactNode
}

/** Cards that the first page is painted with: as many as a large window shows. The others follow at once. */
const seenFirst = 2
let painting = true

/** False only for the first paint of the first page; coming back to a list, the place that was left must be there. */
function useWhole(ready: boolean): boolean {
  const [whole, setWhole] = useState(!painting)
  useEffect(() => {
    if (!ready) return
    painting = false
    void painted().then(() => startTransition(() => setWhole(true)))
  }, [ready])
  return whole
}

export function HomeFeed({ query, afterFirst }: Props) {
  const loading = useSkeleton(isLoading(query))
  const retry = () => void query.refetch()
  const whole = useWhole(!loading)

  if (loading) {
    return (
      <SkeletonRegion>
        <div className="space-y-3 md:space-y-5">
          <PostCardSkeleton />
          <PostCardSkeleton />
        </div>
      </SkeletonRegion>
    )
  }
  if (!query.data) {
    return (
      <>
        <div className="card">
          <ErrorState text="Something bad happened" onRetry={retry} />
        </div>
        {afterFirst}
      </>
    )
  }

  const posts = query.data.documents.filter((post) => post.creator)
  if (posts.length === 0) {
    return (
      <>
        <div className="card">
          <EmptyState
            title="No posts available"
            text="Follow other users or create your first post to see content here."
          >
            <ButtonLink to={paths.explore()}>Explore users to follow →</ButtonLink>
          </EmptyState>
        </div>
        {afterFirst}
      </>
    )
  }
  return (
    <div className="space-y-3 md:space-y-5">
      {query.isError && <StaleBar onRetry={retry} />}
      {(whole ? posts : posts.slice(0, seenFirst)).map((post, position) => (
        <Fragment key={post.$id}>
          <PostCard post={post} first={position === 0} />
          {position === 0 && afterFirst}
        </Fragment>
      ))}
      {whole && <End />}
    </div>
  )
}

function End() {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-1.5 pt-2 text-center text-label text-text-2">
      That’s all for now.
      <Link
        to={paths.explore()}
        className="inline-flex min-h-11 items-center font-[620] text-brand-text underline underline-offset-4"
      >
        Explore more posts
      </Link>
    </p>
  )
}
