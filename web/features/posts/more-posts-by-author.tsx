import { useId } from 'react'
import { en } from '#contract/language.ts'
import { hasQueryFailed } from '#web/api/query-status-predicates.ts'
import { PaginatedPostGrid } from './paginated-post-grid.tsx'
import { morePostsByAuthorQuery } from './queries.ts'
import { usePostPages } from './use-post-pages.ts'

export function MorePostsByAuthor({ personId, postId }: { personId: string; postId: string }) {
  const query = usePostPages(morePostsByAuthorQuery(personId, postId))
  const titleId = useId()
  const some = query.data?.pages.some((page) => page.documents.length > 0)
  if (!some && !hasQueryFailed(query)) return null
  return (
    <section aria-labelledby={titleId} className="mt-7 md:mt-11">
      <h2 id={titleId} className="heading mb-4 text-h2">
        {en('More Related Posts', 'Más de la misma autora')}
      </h2>
      <PaginatedPostGrid query={query} empty={null} showStats tiles={4} />
    </section>
  )
}
