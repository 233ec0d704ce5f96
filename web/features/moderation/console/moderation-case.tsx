import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CaseDecision } from './case-decision.tsx'
import { actText, minutesUntil, shortReasons, titleOf } from './case-labels.ts'
import { Panel, ReasonChip, TimeLeft } from './case-parts.tsx'
import { apiErrorOf, moderationCaseQuery } from './case-queries.ts'
import { CaseReview } from './case-review.tsx'
import { SealedEvidence } from './sealed-evidence.tsx'

/** Shows one case: what was sealed, what was said of it, and what there is to decide. */
export function ModerationCaseScreen({ caseId }: { caseId: string }) {
  const query = useQuery(moderationCaseQuery(caseId))
  if (apiErrorOf(query.error)?.code === 404) return <NotFoundScreen />
  return (
    <div className="mx-auto max-w-[1080px]">
      <ButtonLink to={screenPaths.moderation()} kind="ghost" className="-ml-3 pl-3">
        <ArrowLeft aria-hidden size={18} strokeWidth={2} />
        Moderation
      </ButtonLink>
      <QueryView
        query={query}
        title="Case"
        skeleton={<Skeleton className="h-60 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {(shown) => (
          <>
            <div className="mx-1 mt-1 mb-4.5 flex flex-wrap items-center gap-3 md:mx-0">
              <div className="min-w-0 wrap-anywhere">
                <PageTitle title={titleOf(shown)} />
              </div>
              <ReasonChip severity={shown.severity} reason={shown.reason} />
              {shown.claimedUntil && (
                <span className="md:ml-auto">
                  <TimeLeft>Yours for {minutesUntil(shown.claimedUntil)} minutes</TimeLeft>
                </span>
              )}
            </div>
            <div className="grid items-start gap-5 two:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]">
              <div className="grid min-w-0 gap-5">
                <SealedEvidence
                  evidence={shown.reports.flatMap(({ evidence }) => evidence)}
                  deletedAt={shown.deletedAt}
                  pictureUrlOf={(place) => `/v1/moderation/cases/${shown.$id}/evidence/${place}/picture`}
                />
                <Reports shown={shown} />
              </div>
              <div className="grid min-w-0 gap-5">
                <CaseDecision shown={shown} />
                {shown.review && <CaseReview shown={shown} review={shown.review} />}
                <Earlier shown={shown} />
                <Log shown={shown} />
              </div>
            </div>
          </>
        )}
      </QueryView>
    </div>
  )
}

type Report = ModerationCase['reports'][number]

function recordText({ reports, upheld }: Report['reporter']): string {
  return reports === 1 ? 'first report' : `${reports - 1} earlier, ${upheld} upheld`
}

function Reports({ shown }: { shown: ModerationCase }) {
  return (
    <Panel title="Reports" text="You don’t see who reported, and she never will.">
      <ul className="divide-y divide-border">
        {shown.reports.map((report) => (
          <li key={report.number} className="flex gap-3 py-3">
            <span
              aria-hidden
              className="grid size-9 flex-none place-items-center rounded-full bg-sunken text-label font-bold text-text-2"
            >
              {report.number}
            </span>
            <div className="min-w-0">
              <b className="font-[650]">Reporter {report.number}</b>{' '}
              <span className="text-meta text-text-2">
                · {shortReasons[report.reason]} · <RelativeTime at={report.$createdAt} /> ·{' '}
                {recordText(report.reporter)}
              </span>
              {report.note && (
                <p dir="auto" className="mt-0.5 text-pretty wrap-anywhere whitespace-pre-wrap">
                  {report.note}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Earlier({ shown: { about, earlier } }: { shown: ModerationCase }) {
  if (!about) return null
  return (
    <Panel title={`About @${about.username}`}>
      <ul className="mt-2 space-y-2 text-meta text-text-2">
        {earlier.map(({ decision, decidedAt }) => (
          <li key={decidedAt}>
            <b className="font-[620] text-text">{actText(decision)}</b> · <RelativeTime at={decidedAt} />
          </li>
        ))}
        {earlier.length === 0 && <li>Nothing was decided about her before.</li>}
      </ul>
    </Panel>
  )
}

const actors = { me: 'You', other: 'Another moderator' } as const

function Log({ shown: { log, $createdAt } }: { shown: ModerationCase }) {
  return (
    <Panel title="Log">
      <ol className="mt-2 space-y-2 text-meta text-text-2">
        {log.toReversed().map(({ act, at, by }) => (
          <li key={`${act}${at}`}>
            <b className="font-[620] text-text">{by ? actors[by] : 'Juntas'}</b> · {actText(act)} ·{' '}
            <RelativeTime at={at} />
          </li>
        ))}
        <li>
          Opened, evidence sealed · <RelativeTime at={$createdAt} />
        </li>
      </ol>
    </Panel>
  )
}
