import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { savedPostsQuery } from './list-queries.ts'
import { PostPages } from './post-pages.tsx'
import { usePostPages } from './use-post-pages.ts'

/** What she has kept for herself, as bare pictures (spec §2 Saved). */
export function SavedScreen() {
  const query = usePostPages(savedPostsQuery)
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Saved Posts" />
      </div>
      <PostPages
        query={query}
        empty={
          <div className="card">
            <EmptyState title="No available posts">
              <ButtonLink to={paths.explore()}>Explore</ButtonLink>
            </EmptyState>
          </div>
        }
      />
    </div>
  )
}
