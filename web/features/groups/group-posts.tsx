import { useQuery } from '@tanstack/react-query'
import type { Group } from '#contract/groups.ts'
import { PostCard } from '#web/features/posts/post-card.tsx'
import { PostCardSkeleton } from '#web/features/posts/post-card-skeleton.tsx'
import { paths } from '#web/paths.ts'
import { isLoading } from '#web/query-state.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SkeletonRegion, useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { groupPostsQuery } from './queries.ts'

const grid = 'grid grid-cols-1 items-start gap-3 md:grid-cols-2 md:gap-5'

export function GroupPostsSkeleton() {
  return (
    <div className={grid}>
      <PostCardSkeleton />
      <PostCardSkeleton />
    </div>
  )
}

export function GroupPosts({ group }: { group: Group }) {
  const query = useQuery(groupPostsQuery(group.$id))
  const loading = useSkeleton(isLoading(query))

  if (loading) {
    return (
      <SkeletonRegion>
        <GroupPostsSkeleton />
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
  const posts = query.data.documents.filter((post) => post.creator)
  if (posts.length === 0) {
    return (
      <div className="card">
        <EmptyState title="No posts yet">
          <ButtonLink to={paths.createPost()} state={{ groupId: group.$id }}>
            Create First Post
          </ButtonLink>
        </EmptyState>
      </div>
    )
  }
  return (
    <>
      {query.isError && <StaleBar onRetry={query.refetch} />}
      <div className={grid}>
        {posts.map((post, position) => (
          <PostCard key={post.$id} post={post} first={position === 0} />
        ))}
      </div>
    </>
  )
}
