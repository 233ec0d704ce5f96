import type { UseQueryResult } from '@tanstack/react-query'
import type { Post } from '#contract/posts.ts'
import { isLoading } from '#web/query-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { PostGrid, PostGridSkeleton } from './post-grid.tsx'

/** What a search for posts has found. How many is said aloud, once they are there. */
export function FoundPosts({ query }: { query: UseQueryResult<{ documents: Post[] }> }) {
  const loading = useSkeleton(isLoading(query))
  const posts = query.data?.documents
  if (!loading && !posts) {
    return (
      <div className="card">
        <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
      </div>
    )
  }
  return (
    <>
      <div role="status">
        {!loading && posts?.length === 0 && (
          <div className="card">
            <EmptyState title="No results found" />
          </div>
        )}
        {!loading && posts && posts.length > 0 && (
          <p className="sr-only">{`${posts.length} ${posts.length === 1 ? 'post' : 'posts'} found`}</p>
        )}
      </div>
      {loading ? (
        <SkeletonRegion>
          <PostGridSkeleton />
        </SkeletonRegion>
      ) : (
        <PostGrid posts={posts ?? []} showUser showStats />
      )}
    </>
  )
}
