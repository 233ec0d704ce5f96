import { useId } from 'react'
import { hasFailed } from '#web/query-state.ts'
import { relatedPostsQuery } from './list-queries.ts'
import { PostPages } from './post-pages.tsx'
import { usePostPages } from './use-post-pages.ts'

/** The same member's other posts (spec §2: not those with the same tags); without any, nothing. */
export function RelatedPosts({ personId, postId }: { personId: string; postId: string }) {
  const query = usePostPages(relatedPostsQuery(personId, postId))
  const titleId = useId()
  const some = query.data?.pages.some((page) => page.documents.length > 0)
  if (!some && !hasFailed(query)) return null
  return (
    <section aria-labelledby={titleId} className="mt-7 md:mt-11">
      <h2 id={titleId} className="heading mb-4 text-h2">
        More Related Posts
      </h2>
      <PostPages query={query} empty={null} showStats tiles={4} />
    </section>
  )
}
