import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import { asApiError } from '#web/api/error-message.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { screenPaths } from '#web/paths.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { caseActionText, caseActorText, caseTitleOf, shortReasonLabels } from '../cases/case-labels.ts'
import { CaseLayout } from '../cases/case-layout.tsx'
import { CaseListSkeleton } from '../cases/case-list.tsx'
import { CasePanel, ReasonChip, RemainingMinutes } from '../cases/case-page-parts.tsx'
import { EvidenceSnapshots } from '../cases/evidence-snapshots.tsx'
import { CaseAppeal } from './case-appeal.tsx'
import { CaseDecision } from './case-decision.tsx'
import { isModeratorPasswordRequired, moderationCaseQuery } from './case-queries.ts'
import { ModeratorPasswordForm } from './moderator-password-form.tsx'

/**
 * Locked until the moderator enters their password. When locked again, the case stays mounted, because it may contain
 * an unsent reason.
 */
export function ModerationCaseView({ caseId }: { caseId: string }) {
  const query = useQuery(moderationCaseQuery(caseId))
  const isOffDuty = isModeratorPasswordRequired(query.error)
  if (asApiError(query.error)?.code === 404) return <NotFoundScreen />
  return (
    <>
      {isOffDuty && <ModeratorPasswordForm interrupts={query.data !== undefined} />}
      <div hidden={isOffDuty}>
        {query.data ? (
          <Case query={query} />
        ) : (
          <QueryView query={query} skeleton={<CaseListSkeleton />}>
            {() => null}
          </QueryView>
        )}
      </div>
    </>
  )
}

function Case({ query }: { query: UseQueryResult<ModerationCase> }) {
  return (
    <CaseLayout
      query={query}
      title={en('Case', 'Caso')}
      list={{ path: screenPaths.moderation(), label: en('Moderation', 'Moderación') }}
    >
      {(shown) => ({
        heading: caseTitleOf(shown),
        chips: (
          <>
            <ReasonChip severity={shown.severity} reason={shown.reason} />
            {shown.claimedUntil && (
              <span className="md:ml-auto">
                <RemainingMinutes until={shown.claimedUntil}>
                  {en('Yours for', 'Tuyo durante')}
                </RemainingMinutes>
              </span>
            )}
          </>
        ),
        evidence: (
          <>
            <EvidenceSnapshots
              evidence={shown.reports.flatMap(({ evidence }) => evidence)}
              deletedAt={shown.deletedAt}
              pictureUrlOf={(place) => `/v1/moderation/cases/${shown.$id}/evidence/${place}/picture`}
            />
            <Reports shown={shown} />
          </>
        ),
        decision: (
          <>
            <CaseDecision shown={shown} />
            {shown.review && <CaseAppeal shown={shown} review={shown.review} />}
            <Earlier shown={shown} />
            <Log shown={shown} />
          </>
        ),
      })}
    </CaseLayout>
  )
}

type Report = ModerationCase['reports'][number]

function recordText({ reports, upheld }: Report['reporter']): string {
  return reports === 1
    ? en('first report', 'primera denuncia')
    : en(`${reports - 1} earlier, ${upheld} upheld`, `${reports - 1} anteriores, ${upheld} confirmadas`)
}

function Reports({ shown }: { shown: ModerationCase }) {
  return (
    <CasePanel
      title={en('Reports', 'Denuncias')}
      text={en(
        'Reports are anonymous. Neither you nor the reported member sees who sent them.',
        'Las denuncias son anónimas. Ni tú ni la persona denunciada ven quién las envió.',
      )}
    >
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
              <b className="font-[650]">
                {en('Reporter ', 'Denunciante ')}
                {report.number}
              </b>{' '}
              <span className="text-meta text-text-2">
                · {shortReasonLabels[report.reason]} · <RelativeTime at={report.$createdAt} /> ·{' '}
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
    </CasePanel>
  )
}

function Earlier({ shown: { about, earlier } }: { shown: ModerationCase }) {
  if (!about) return null
  return (
    <CasePanel title={en(`About @${about.username}`, `Sobre @${about.username}`)}>
      <ul className="mt-2 space-y-2 text-meta text-text-2">
        {earlier.map(({ decision, decidedAt }) => (
          <TimedRow key={decidedAt} at={decidedAt}>
            <b className="font-[620] text-text">{caseActionText(decision)}</b>
          </TimedRow>
        ))}
        {earlier.length === 0 && (
          <li>{en('No earlier decisions about her.', 'Antes no se decidió nada sobre ella.')}</li>
        )}
      </ul>
    </CasePanel>
  )
}

function Log({ shown: { log, $createdAt } }: { shown: ModerationCase }) {
  return (
    <CasePanel title={en('Log', 'Registro')}>
      <ol className="mt-2 space-y-2 text-meta text-text-2">
        {log.toReversed().map((entry) => (
          <TimedRow key={`${entry.act}${entry.at}`} at={entry.at}>
            <b className="font-[620] text-text">{caseActorText(entry)}</b> · {caseActionText(entry.act)}
          </TimedRow>
        ))}
        <TimedRow at={$createdAt}>{en('Opened, evidence sealed', 'Abierto, pruebas selladas')}</TimedRow>
      </ol>
    </CasePanel>
  )
}

const TimedRow = ({ at, children }: { at: string; children: ReactNode }) => (
  <li className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2.5">
    <RelativeTime at={at} />
    <span>{children}</span>
  </li>
)
