import type { ReactNode } from 'react'
import { QueryView } from '#web/ui/query-view.tsx'
import { LoadMorePosts } from './load-more-posts.tsx'
import { PostGrid, PostGridSkeleton } from './post-grid.tsx'
import { flattenPostPages } from './queries.ts'
import type { PostPagesResult } from './use-post-pages.ts'

type Props = {
  query: PostPagesResult
  empty: ReactNode
  end?: ReactNode
  showUser?: boolean
  showStats?: boolean
  marksGroups?: boolean
  features?: boolean
  tiles?: number
}

export function PaginatedPostGrid({ query, empty, end, tiles, ...look }: Props) {
  return (
    <QueryView
      query={query}
      skeleton={<PostGridSkeleton tiles={tiles} features={look.features} />}
      noticeClassName="mb-3.5"
    >
      {(data) => <LoadedPages {...{ query, data, empty, end }} {...look} />}
    </QueryView>
  )
}

type LoadedProps = Omit<Props, 'tiles'> & { data: NonNullable<PostPagesResult['data']> }

function LoadedPages({ query, data, empty, end, ...look }: LoadedProps) {
  const posts = flattenPostPages(data)
  return (
    <>
      {posts.length === 0 && !query.hasNextPage ? empty : <PostGrid posts={posts} {...look} />}
      <LoadMorePosts query={query} />
      {posts.length > 0 && !query.hasNextPage && end}
    </>
  )
}
