import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { en } from '#contract/language.ts'
import { hasQueryFailed } from '#web/api/query-status-predicates.ts'
import { PostGrid, PostGridSkeleton } from '#web/features/posts/post-grid.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { similarPostsQuery } from './queries.ts'

export function SimilarPosts({ postId }: { postId: string }) {
  const query = useQuery(similarPostsQuery(postId))
  const titleId = useId()
  if (!query.data?.documents.length && !hasQueryFailed(query)) return null
  return (
    <section aria-labelledby={titleId} className="mt-7 md:mt-11">
      <h2 id={titleId} className="heading mb-4 text-h2">
        {en('More like this', 'Más como esta')}
      </h2>
      <QueryView query={query} skeleton={<PostGridSkeleton tiles={4} />} noticeClassName="mb-3.5">
        {({ documents }) => <PostGrid posts={documents} showUser showStats />}
      </QueryView>
    </section>
  )
}
