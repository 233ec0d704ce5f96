import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { PaginatedPostGrid } from '../paginated-post-grid.tsx'
import { savedPostsQuery } from '../queries.ts'
import { usePostPages } from '../use-post-pages.ts'

export function SavedScreen() {
  const query = usePostPages(savedPostsQuery)
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title={en('Saved Posts', 'Publicaciones guardadas')} />
      </div>
      <PaginatedPostGrid
        query={query}
        empty={
          <div className="card">
            <EmptyState
              title={en('No available posts', 'No hay publicaciones')}
              text={en(
                'Press the bookmark on a post to save it here. Only you see this list.',
                'Pulsa el marcador de una publicación para guardarla aquí. Solo tú ves esta lista.',
              )}
            >
              <ButtonLink to={screenPaths.explore()}>{en('Explore', 'Explorar')}</ButtonLink>
            </EmptyState>
          </div>
        }
      />
    </div>
  )
}
