import type { ReactNode } from 'react'
import { likedPostsQuery, type PostPagesQuery, personPostsQuery } from '#web/features/posts/list-queries.ts'
import { PostPages } from '#web/features/posts/post-pages.tsx'
import { usePostPages } from '#web/features/posts/use-post-pages.ts'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Her posts, newest first: pictures with their likes, without her name on each (row PROF-14). */
export function PersonPosts({ personId, mine }: { personId: string; mine: boolean }) {
  return (
    <Posts
      key={personId}
      query={personPostsQuery(personId)}
      empty={
        <EmptyState title="No posts yet">
          {mine && <ButtonLink to={paths.createPost()}>Create Post</ButtonLink>}
        </EmptyState>
      }
    />
  )
}

export function LikedPosts() {
  return <Posts query={likedPostsQuery} empty={<EmptyState title="No liked posts" />} showUser />
}

type Props = { query: PostPagesQuery; empty: ReactNode; showUser?: boolean }

function Posts({ query, empty, showUser }: Props) {
  const pages = usePostPages(query)
  return (
    <PostPages
      query={pages}
      empty={<div className="card">{empty}</div>}
      tiles={8}
      showStats
      showUser={showUser}
    />
  )
}
