import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { FoundPosts } from './found-posts.tsx'
import { exploreQuery, postSearchQuery } from './list-queries.ts'
import { PostPages } from './post-pages.tsx'
import { usePostPages } from './use-post-pages.ts'
import { useSearchTerm } from './use-search-term.ts'

/** Every post she may read, or those that a search finds (spec §2 Explore). */
export function ExploreScreen() {
  const { typed, setTyped, term } = useSearchTerm()
  const feed = usePostPages(exploreQuery)
  const search = useQuery({
    ...postSearchQuery(term),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  })
  const searching = typed.trim() !== term || (term !== '' && search.isFetching)
  return (
    <div className="mx-auto max-w-[1080px]">
      <PageTitle title="Explore" hidden />
      <div className="mx-1 mt-1 md:mx-0 md:mt-0">
        <SearchBox label="Search Posts" value={typed} onChange={setTyped} waiting={searching} />
      </div>
      <div className="mx-1 mt-6.5 mb-3.5 flex min-h-10 items-center gap-4 md:mx-0 md:mb-[22px] md:min-h-11">
        <h2 className="heading min-w-0 text-[1.5rem] leading-[30px] wrap-anywhere">
          {term ? `Results for “${term}”` : 'Popular Today'}
        </h2>
        {!term && (
          <span className="ml-auto flex h-9 items-center gap-2 rounded-full bg-sunken px-3.5 text-label font-semibold text-text-2">
            All
            <SlidersHorizontal aria-hidden size={16} strokeWidth={2.1} />
          </span>
        )}
      </div>
      {term ? (
        <FoundPosts query={search} />
      ) : (
        <PostPages
          query={feed}
          features
          showUser
          showStats
          tiles={9}
          empty={
            <div className="card">
              <EmptyState title="End of posts" />
            </div>
          }
          end={<p className="pt-8 text-center text-label text-text-2">You’ve seen everything for now.</p>}
        />
      )}
    </div>
  )
}
