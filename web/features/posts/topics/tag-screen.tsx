import { Hash } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { flattenPostPages } from '#web/features/posts/queries.ts'
import { usePostPages } from '#web/features/posts/use-post-pages.ts'
import { useLastPathSegment } from '#web/navigation/use-last-path-segment.ts'
import { screenPaths } from '#web/paths.ts'
import { findCoOccurringTags } from './co-occurring-tags.ts'
import { type TagPostPage, tagPostsQuery } from './queries.ts'
import { TopicHeader } from './topic-header.tsx'
import { TopicPostGrid } from './topic-post-grid.tsx'

export function TagScreen() {
  const tag = useLastPathSegment()
  return <TagPosts key={tag} tag={tag} />
}

function TagPosts({ tag }: { tag: string }) {
  const query = usePostPages(useMemo(() => tagPostsQuery(tag), [tag]))
  const [first] = (query.data?.pages ?? []) as TagPostPage[]
  const others = query.data ? findCoOccurringTags(tag, flattenPostPages(query.data)) : []
  return (
    <div className="mx-auto max-w-[1080px]">
      <TopicHeader
        title={`#${first?.tag ?? tag}`}
        sign={<Hash size={32} strokeWidth={2.4} />}
        signClassName="bg-accent-soft text-accent"
      />
      {others.length > 0 && (
        <nav
          aria-label={en('Often with', 'A menudo con')}
          className="mx-1 mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 md:mx-0"
        >
          <span aria-hidden className="text-label text-text-2">
            {en('Often with', 'A menudo con')}
          </span>
          <ul className="flex min-w-0 flex-wrap gap-2">
            {others.map((other) => (
              <li key={other} className="min-w-0">
                <Link
                  to={screenPaths.tag(other)}
                  className="hit-44 flex min-h-10 items-center rounded-full bg-accent-soft px-3.5 text-label font-semibold text-accent [overflow-wrap:anywhere] hover:underline"
                >
                  #{other}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <TopicPostGrid query={query} />
    </div>
  )
}
