import type { ComponentProps } from 'react'
import { en } from '#contract/language.ts'
import { PaginatedPostGrid } from '#web/features/posts/paginated-post-grid.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export const TopicPostGrid = ({ query }: Pick<ComponentProps<typeof PaginatedPostGrid>, 'query'>) => (
  <PaginatedPostGrid
    query={query}
    showUser
    showStats
    tiles={9}
    empty={
      <div className="card">
        <EmptyState
          title={en('No posts here that you can see.', 'Aquí no hay publicaciones que puedas ver.')}
        />
      </div>
    }
    end={
      <p className="pt-8 text-center text-label text-text-2">
        {en('You’ve seen everything for now.', 'Ya lo has visto todo por ahora.')}
      </p>
    }
  />
)
