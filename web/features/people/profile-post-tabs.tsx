import type { ReactNode } from 'react'
import { PaginatedPostGrid } from '#web/features/posts/paginated-post-grid.tsx'
import { likedPostsQuery, type PostPagesQuery, personPostsQuery } from '#web/features/posts/queries.ts'
import { usePostPages } from '#web/features/posts/use-post-pages.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Shows a person's posts, newest first, with their likes and without the author's name. */
export function ProfilePostsTab({ personId, mine }: { personId: string; mine: boolean }) {
  return (
    <Posts
      key={personId}
      query={personPostsQuery(personId)}
      empty={
        <EmptyState title="No posts yet">
          {mine && <ButtonLink to={screenPaths.createPost()}>Create Post</ButtonLink>}
        </EmptyState>
      }
    />
  )
}

export function ProfileLikedPostsTab() {
  return (
    <Posts
      query={likedPostsQuery}
      empty={<EmptyState title="No liked posts" text="Posts you like gather here. Only you see this list." />}
      showUser
    />
  )
}

type Props = { query: PostPagesQuery; empty: ReactNode; showUser?: boolean }

function Posts({ query, empty, showUser }: Props) {
  const pages = usePostPages(query)
  return (
    <PaginatedPostGrid
      query={pages}
      empty={<div className="card">{empty}</div>}
      tiles={8}
      showStats
      showUser={showUser}
    />
  )
}
