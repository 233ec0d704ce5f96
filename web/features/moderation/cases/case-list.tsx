import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { EyeOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

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
  /** Screen readers read this label, in lower case when more cases load. */
  label: string
  emptyTitle: string
  renderRow: (row: Row) => ReactNode
  renderBelow?: (rows: readonly Row[]) => ReactNode
}

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

export function CaseIconTile({ icon: Icon }: { icon: LucideIcon }) {
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
