import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { en } from '#contract/language.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'

/**
 * @param label for screen readers
 * @param renderRow receives a function that focuses the list when a row disappears
 */
export function PersonRowList<Row>({
  query,
  label,
  emptyTitle,
  renderRow,
}: {
  query: UseInfiniteQueryResult<InfiniteData<{ documents: Row[] }>>
  label: string
  emptyTitle: string
  renderRow: (row: Row, focusList: () => void) => ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <section ref={list} tabIndex={-1} aria-label={label} className="outline-none">
      <QueryView
        query={query}
        skeleton={<PersonRowsSkeleton />}
        noticeClassName="mb-3.5"
        isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0)}
        empty={
          <div className="card">
            <EmptyState title={emptyTitle} />
          </div>
        }
      >
        {({ pages }) => (
          <div className="card">
            <ul className="divide-y divide-border px-4 md:px-6">
              {pages
                .flatMap(({ documents }) => documents)
                .map((row) => renderRow(row, () => list.current?.focus()))}
            </ul>
          </div>
        )}
      </QueryView>
      <LoadMore query={query} what={en('people', 'personas')} />
    </section>
  )
}

function PersonRowsSkeleton() {
  return (
    <div className="card px-4 md:px-6">
      {['a', 'b', 'c'].map((row) => (
        <PersonSkeleton key={row} avatar="size-12" className="py-4" />
      ))}
    </div>
  )
}
