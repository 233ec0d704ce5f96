/** Lists cases, for moderators and for a group's admin, and says what whoever decides gets to see. */

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { EyeOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Says what is shown of what was reported, and what is not. */
export function EvidenceVisibilityNote({ children }: { children: ReactNode }) {
  return (
    <p className="mb-4.5 flex items-center gap-2.5 rounded-photo bg-accent-soft px-4 py-3 text-label text-pretty text-on-accent-soft">
      <EyeOff aria-hidden size={20} strokeWidth={1.9} className="flex-none" />
      {children}
    </p>
  )
}

type Props<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<{ documents: Row[] }>>
  /** What the list is called by screen readers; in small letters what is loaded further. */
  label: string
  emptyTitle: string
  renderRow: (row: Row) => ReactNode
  /** Shown below the rows. */
  renderBelow?: (rows: readonly Row[]) => ReactNode
}

/** Lists cases page by page, with the loading, error and empty states. */
export function CaseList<Row>({ query, label, emptyTitle, renderRow, renderBelow }: Props<Row>) {
  return (
    <section aria-label={label}>
      <QueryView
        query={query}
        skeleton={<CaseListSkeleton />}
        noticeClassName="mb-3.5"
        isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0)}
        empty={
          <div className="card">
            <EmptyState title={emptyTitle} />
          </div>
        }
      >
        {({ pages }) => {
          const rows = pages.flatMap(({ documents }) => documents)
          return (
            <>
              <ul className="card divide-y divide-border overflow-hidden">{rows.map(renderRow)}</ul>
              {renderBelow?.(rows)}
            </>
          )
        }}
      </QueryView>
      <LoadMore query={query} what={label.toLowerCase()} />
    </section>
  )
}

export const CaseListSkeleton = () => <Skeleton className="h-40 rounded-card" />

export function CaseIcon({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span
      aria-hidden
      className="grid size-11 flex-none place-items-center rounded-input bg-sunken text-text-2"
    >
      <Icon size={22} strokeWidth={1.9} />
    </span>
  )
}

export const formatReportCount = (count: number): string =>
  count === 1 ? en('1 report', '1 denuncia') : en(`${count} reports`, `${count} denuncias`)
