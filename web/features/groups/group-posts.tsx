import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { BlockedAuthorPostCover } from '#web/features/people/blocks/blocked-author-post-cover.tsx'
import type { CreatePostNavigationState } from '#web/features/posts/form/post-form-navigation-state.ts'
import { LoadMorePosts } from '#web/features/posts/load-more-posts.tsx'
import { PostCard } from '#web/features/posts/post-card.tsx'
import { PostCardSkeleton } from '#web/features/posts/post-card-skeleton.tsx'
import { flattenPostPages } from '#web/features/posts/queries.ts'
import { usePostPages } from '#web/features/posts/use-post-pages.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
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
  const query = usePostPages(groupPostsQuery(group.$id))
  return (
    <QueryView
      query={query}
      skeleton={<GroupPostsSkeleton />}
      isEmpty={(data) => shown(data).length === 0 && !query.hasNextPage}
      empty={
        <div className="card">
          <EmptyState title={en('No posts yet', 'Todavía no hay publicaciones')}>
            <ButtonLink
              to={screenPaths.createPost()}
              state={
                { groupId: group.$id, from: screenPaths.group(group.$id) } satisfies CreatePostNavigationState
              }
            >
              {en('Create First Post', 'Crear la primera publicación')}
            </ButtonLink>
          </EmptyState>
        </div>
      }
    >
      {(data) => (
        <>
          <div className={grid}>
            {shown(data).map((post, position) => (
              <BlockedAuthorPostCover key={post.$id} post={post}>
                <PostCard post={post} first={position === 0} />
              </BlockedAuthorPostCover>
            ))}
          </div>
          <LoadMorePosts query={query} />
        </>
      )}
    </QueryView>
  )
}

const shown = (data: Parameters<typeof flattenPostPages>[0]) =>
  flattenPostPages(data).filter((post) => post.creator)
