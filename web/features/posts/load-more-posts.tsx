import { en } from '#contract/language.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import type { PostPagesResult } from './use-post-pages.ts'

export function LoadMorePosts({ query }: { query: PostPagesResult }) {
  const pages = query.data?.pages ?? []
  return (
    <>
      <p role="status" className="sr-only">
        {pages.length > 1 &&
          en(
            `${pages.at(-1)?.documents.length} more posts loaded`,
            `${pages.at(-1)?.documents.length} publicaciones más`,
          )}
      </p>
      {/* Each page gets a new element, because a visible element would jump. */}
      <LoadMore key={pages.length} query={query} what={en('posts', 'publicaciones')} />
    </>
  )
}
