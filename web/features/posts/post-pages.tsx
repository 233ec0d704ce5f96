import type { ReactNode } from 'react'
import { isLoading } from '#web/query-state.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { postsOf } from './list-queries.ts'
import { PostGrid, PostGridSkeleton } from './post-grid.tsx'
import type { PostPagesResult } from './use-post-pages.ts'

type Props = {
  query: PostPagesResult
  /** Stands there when there is nothing in the list. */
  empty: ReactNode
  /** Follows the last post. */
  end?: ReactNode
  showUser?: boolean
  showStats?: boolean
  features?: boolean
  tiles?: number
}

/** A list of posts that goes on, as a grid, with all that it can be instead of full. */
export function PostPages({ query, empty, end, tiles, ...look }: Props) {
  const loading = useSkeleton(isLoading(query))
  if (loading) {
    return (
      <SkeletonRegion>
        <PostGridSkeleton tiles={tiles} features={look.features} />
      </SkeletonRegion>
    )
  }
  if (!query.data) {
    return (
      <div className="card">
        <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
      </div>
    )
  }
  const posts = postsOf(query.data)
  const last = query.data.pages.at(-1)?.documents.length
  return (
    <>
      {query.isRefetchError && (
        <div className="mb-3.5">
          <StaleBar onRetry={query.refetch} />
        </div>
      )}
      {posts.length === 0 && !query.hasNextPage ? empty : <PostGrid posts={posts} {...look} />}
      <p role="status" className="sr-only">
        {query.data.pages.length > 1 && `${last} more posts loaded`}
      </p>
      {/* A new one for each page: one that was in sight would be seen to jump. */}
      <LoadMore key={query.data.pages.length} query={query} what="posts" />
      {posts.length > 0 && !query.hasNextPage && end}
    </>
  )
}
