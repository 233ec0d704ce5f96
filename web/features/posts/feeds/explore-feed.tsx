import { useMemo } from 'react'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LazyNewPostsNotice } from '../lazy-new-posts-notice.tsx'
import { PaginatedPostGrid } from '../paginated-post-grid.tsx'
import { type ExploreAuthorFilter, explorePostsQuery, fetchNewestExplorePosts } from '../queries.ts'
import { usePostPages } from '../use-post-pages.ts'

type Props = {
  from: ExploreAuthorFilter | undefined
  hidden: boolean
}

export function ExploreFeed({ from, hidden }: Props) {
  const query = useMemo(() => explorePostsQuery(from), [from])
  const feed = usePostPages(query)
  if (hidden) return null
  return (
    <>
      <LazyNewPostsNotice query={query} newest={() => fetchNewestExplorePosts(from)} />
      <PaginatedPostGrid
        query={feed}
        features
        showUser
        showStats
        tiles={9}
        empty={
          <div className="card">
            <Empty from={from} />
          </div>
        }
        end={
          <p className="pt-8 text-center text-label text-text-2">
            {en('You’ve seen everything for now.', 'Ya lo has visto todo por ahora.')}
          </p>
        }
      />
    </>
  )
}

function Empty({ from }: Pick<Props, 'from'>) {
  if (from === 'following')
    return (
      <EmptyState
        title={en('No posts yet', 'Todavía no hay publicaciones')}
        text={en(
          'Posts by the people you follow appear here.',
          'Aquí aparecen las publicaciones de las personas a las que sigues.',
        )}
      >
        <ButtonLink to={screenPaths.people()}>{en('People', 'Personas')}</ButtonLink>
      </EmptyState>
    )
  if (from === 'groups')
    return (
      <EmptyState
        title={en('No posts yet', 'Todavía no hay publicaciones')}
        text={en('Posts in your groups appear here.', 'Aquí aparecen las publicaciones de tus grupos.')}
      >
        <ButtonLink to={screenPaths.groups()}>{en('Groups', 'Grupos')}</ButtonLink>
      </EmptyState>
    )
  return <EmptyState title={en('End of posts', 'No hay más publicaciones')} />
}
