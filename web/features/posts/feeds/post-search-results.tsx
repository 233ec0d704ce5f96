import type { UseQueryResult } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { PostGrid, PostGridSkeleton } from '../post-grid.tsx'

export function PostSearchResults({ query }: { query: UseQueryResult<{ documents: Post[] }> }) {
  const posts = query.data?.documents
  return (
    <>
      <p role="status" className="sr-only">
        {posts &&
          en(
            `${posts.length} ${posts.length === 1 ? 'post' : 'posts'} found`,
            `${posts.length} ${posts.length === 1 ? 'publicación encontrada' : 'publicaciones encontradas'}`,
          )}
      </p>
      <QueryView
        query={query}
        skeleton={<PostGridSkeleton />}
        isEmpty={({ documents }) => documents.length === 0}
        empty={
          <div role="status" className="card">
            <EmptyState title={en('No results found', 'No hay resultados')} />
          </div>
        }
        noticeClassName="mb-3.5"
      >
        {({ documents }) => <PostGrid posts={documents} showUser showStats />}
      </QueryView>
    </>
  )
}
