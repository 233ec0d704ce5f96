import { LoadMore } from '#web/ui/load-more.tsx'
import type { PostPagesResult } from './use-post-pages.ts'

/** Stands after the loaded pages of posts: loads the next one, and announces how many have come. */
export function LoadMorePosts({ query }: { query: PostPagesResult }) {
  const pages = query.data?.pages ?? []
  return (
    <>
      <p role="status" className="sr-only">
        {pages.length > 1 && `${pages.at(-1)?.documents.length} more posts loaded`}
      </p>
      {/* A new one for each page: one that was in sight would be seen to jump. */}
      <LoadMore key={pages.length} query={query} what="posts" />
    </>
  )
}
