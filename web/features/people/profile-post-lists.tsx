import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { PaginatedPostGrid } from '#web/features/posts/paginated-post-grid.tsx'
import { likedPostsQuery, type PostPagesQuery, personPostsQuery } from '#web/features/posts/queries.ts'
import { usePostPages } from '#web/features/posts/use-post-pages.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function ProfilePostList({ personId, mine }: { personId: string; mine: boolean }) {
  return (
    <Posts
      key={personId}
      query={personPostsQuery(personId)}
      marksGroups={mine}
      empty={
        <EmptyState title={en('No posts yet', 'Todavía no hay publicaciones')}>
          {mine && (
            <ButtonLink to={screenPaths.createPost()}>{en('Create Post', 'Crear publicación')}</ButtonLink>
          )}
        </EmptyState>
      }
    />
  )
}

export function ProfileLikedPostList() {
  return (
    <Posts
      query={likedPostsQuery}
      empty={
        <EmptyState
          title={en('No liked posts', 'Nada que te guste todavía')}
          text={en(
            'Posts you like appear here. Only you see this list.',
            'Aquí aparecen las publicaciones que te gustan. Solo tú ves esta lista.',
          )}
        />
      }
      showUser
    />
  )
}

type Props = { query: PostPagesQuery; empty: ReactNode; showUser?: boolean; marksGroups?: boolean }

function Posts({ query, empty, ...look }: Props) {
  const pages = usePostPages(query)
  return (
    <PaginatedPostGrid
      query={pages}
      empty={<div className="card">{empty}</div>}
      tiles={8}
      showStats
      {...look}
    />
  )
}
