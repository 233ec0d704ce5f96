import { en } from '#contract/language.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PaginatedPostGrid } from '../paginated-post-grid.tsx'
import { lovedPostsQuery } from '../queries.ts'
import { usePostPages } from '../use-post-pages.ts'

export function LovedThisWeekFeed({ hidden }: { hidden: boolean }) {
  const feed = usePostPages(lovedPostsQuery)
  if (hidden) return null
  return (
    <PaginatedPostGrid
      query={feed}
      features
      showUser
      showStats
      tiles={9}
      empty={<EmptyState title={en('End of posts', 'No hay más publicaciones')} />}
      end={
        <p className="pt-8 text-center text-label text-text-2">
          {en('That’s all that was loved this week.', 'Eso fue lo más querido de esta semana.')}
        </p>
      }
    />
  )
}
