import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { asApiError } from '#web/api/error-message.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView, type QueryViewState } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Props<Case> = {
  query: QueryViewState<Case> & { error: unknown }
  title: string
  list: { path: string; label: string }
  children: (shown: Case) => {
    heading: string
    chips: ReactNode
    evidence: ReactNode
    decision: ReactNode
  }
}

export function CaseLayout<Case>({ query, title, list, children }: Props<Case>) {
  if (asApiError(query.error)?.code === 404) return <NotFoundScreen />
  return (
    <div className="mx-auto max-w-[1080px]">
      <ButtonLink to={list.path} kind="ghost" className="-ml-3 pl-3">
        <ArrowLeft aria-hidden size={18} strokeWidth={2} />
        {list.label}
      </ButtonLink>
      <QueryView
        query={query}
        title={title}
        skeleton={<Skeleton className="h-60 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {(shown) => {
          const { heading, chips, evidence, decision } = children(shown)
          return (
            <>
              <div className="mx-1 mt-1 mb-4.5 flex flex-wrap items-center gap-3 md:mx-0">
                <div className="min-w-0 wrap-anywhere">
                  <PageTitle title={heading} />
                </div>
                {chips}
              </div>
              <div className="grid items-start gap-5 two:grid-cols-[minmax(0,1fr)_minmax(0,min(25rem,50%))]">
                <div className="grid min-w-0 gap-5">{evidence}</div>
                <div className="grid min-w-0 gap-5">{decision}</div>
              </div>
            </>
          )
        }}
      </QueryView>
    </div>
  )
}
