import { useInfiniteQuery } from '@tanstack/react-query'
import { Flower2, Image, type LucideIcon, MessageCircle, MessageSquareText, UserRound } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { claimCaseEndpoint, type listCasesEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { ModerationCaseSummary } from '#contract/moderation/cases.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'
import { asApiError } from '#web/api/error-message.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { caseActionText, caseSubtitleOf, caseTitleOf } from '../cases/case-labels.ts'
import {
  CaseIconTile,
  CaseList,
  CaseListSkeleton,
  EvidenceVisibilityNote,
  formatReportCount,
} from '../cases/case-list.tsx'
import { ReasonChip, RemainingMinutes } from '../cases/case-page-parts.tsx'
import { RefusalAlert } from '../refusal-alert.tsx'
import { isModeratorPasswordRequired, type ModerationTab, moderationCasesQuery } from './case-queries.ts'
import { ModerationCaseView } from './moderation-case-view.tsx'
import { ModeratorPasswordForm } from './moderator-password-form.tsx'
import { useCaseMutation } from './use-case-mutation.ts'

const tabs: readonly [ModerationTab, string][] = [
  ['open', en('Open', 'Abiertos')],
  ['mine', en('Mine', 'Míos')],
  ['decided', en('Decided', 'Decididos')],
  ['reviews', en('Reviews', 'Revisiones')],
]

export function ModerationScreen() {
  const { caseId } = useParams()
  return caseId ? <ModerationCaseView key={caseId} caseId={caseId} /> : <Queue />
}

/**
 * Every tab requests the open cases: the response tells whether the member is a moderator and how long the console
 * stays unlocked.
 */
function Queue() {
  const query = useInfiniteQuery(moderationCasesQuery('open'))
  const refusal = asApiError(query.error)
  if (refusal?.code === 404) return <NotFoundScreen />
  if (isModeratorPasswordRequired(query.error)) return <ModeratorPasswordForm />
  const newest = query.data?.pages[0]
  if (!newest) {
    return (
      <QueryView query={query} skeleton={<CaseListSkeleton />}>
        {() => null}
      </QueryView>
    )
  }
  return <Cases newest={newest} />
}

function Cases({ newest }: { newest: OperationOutput<typeof listCasesEndpoint> }) {
  const [tab, setTab] = useState<ModerationTab>('open')
  const query = useInfiniteQuery(moderationCasesQuery(tab))
  return (
    <div className="mx-auto max-w-[972px]">
      <div className="mx-1 mb-4.5 flex flex-wrap items-center justify-between gap-3 md:mx-0">
        <PageTitle title={en('Moderation', 'Moderación')} />
        <RemainingMinutes until={newest.until}>
          {en('You can moderate for', 'Puedes moderar durante')}
        </RemainingMinutes>
      </div>
      <EvidenceVisibilityNote>
        {en(
          'You see only what was reported and what the reporter chose to show. You don’t see other messages, emails, blocks or who reported.',
          'Solo ves lo denunciado y lo que la denunciante eligió mostrar. No ves otros mensajes, correos, bloqueos ni quién denunció.',
        )}
      </EvidenceVisibilityNote>
      <div
        role="tablist"
        aria-label={en('Cases', 'Casos')}
        className="mb-4 flex overflow-x-auto border-b border-border"
      >
        {tabs.map(([name, label]) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
            className={cx(
              'flex min-h-12 flex-none items-center gap-2 border-b-[3px] px-4 font-[620]',
              tab === name
                ? 'border-brand text-brand-text'
                : 'border-transparent text-text-2 hover:text-text',
            )}
          >
            {label}
            {(name === 'open' || name === 'reviews') && newest.counts[name] > 0 && (
              <span
                className={cx(
                  'min-w-[22px] rounded-full px-2 text-center text-micro leading-[22px] font-bold tabular-nums',
                  name === 'open' ? 'bg-brand text-on-brand' : 'bg-sunken text-text-2',
                )}
              >
                {newest.counts[name]}
              </span>
            )}
          </button>
        ))}
      </div>
      <CaseList
        query={query}
        label={en('Cases', 'Casos')}
        emptyTitle={en('Nothing here.', 'Aquí no hay nada.')}
        renderRow={(summary) => <CaseRow key={summary.$id} summary={summary} />}
        renderBelow={(rows) => tab === 'open' && <Oldest cases={rows} />}
      />
    </div>
  )
}

function Oldest({ cases }: { cases: readonly ModerationCaseSummary[] }) {
  const oldest = cases.map(({ $createdAt }) => $createdAt).sort()[0]
  if (!oldest) return null
  return (
    <p className="mt-4 text-center text-meta font-[550] text-text-2">
      {en('Oldest unanswered: ', 'El más antiguo sin responder: ')}
      <RelativeTime at={oldest} inSentence />
      {en('. Most serious first, then oldest.', '. Primero lo más grave, luego lo más antiguo.')}
    </p>
  )
}

const kindIcons: Record<ModerationCaseSummary['kind'], LucideIcon> = {
  post: Image,
  member: UserRound,
  message: MessageCircle,
  group: Flower2,
  comment: MessageSquareText,
}
const severityBars: Record<number, string> = { 3: 'bg-danger', 2: 'bg-warning', 1: 'bg-border-control' }
function CaseRow({ summary }: { summary: ModerationCaseSummary }) {
  const {
    $id: caseId,
    kind,
    severity,
    reportCount,
    status,
    claimed,
    decision,
    proposal,
    $createdAt,
  } = summary
  const claim = useCaseMutation(caseId, { claim: () => callApiOperation(claimCaseEndpoint, { caseId }) })
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 md:px-5">
      <span
        aria-hidden
        className={cx('absolute top-3 bottom-3 left-0 w-1 rounded-full', severityBars[severity])}
      />
      <CaseIconTile icon={kindIcons[kind]} />
      <span className="min-w-0 flex-1 basis-[13.75rem]">
        {/* The link covers the whole row, so that a click anywhere opens the case. */}
        <Link
          to={screenPaths.moderation(caseId)}
          className="block truncate font-[650] after:absolute after:inset-0"
        >
          {caseTitleOf(summary)}
        </Link>
        <span className="block truncate text-meta text-text-2">{caseSubtitleOf(summary)}</span>
      </span>
      <span className="flex flex-wrap items-center gap-1.5 text-meta text-text-2 max-md:w-full max-md:pl-15">
        <ReasonChip severity={severity} reason={summary.reason} />
        {formatReportCount(reportCount)} · <RelativeTime at={$createdAt} />
        {proposal && (
          <b className="font-[650]">{en('Waiting for a second moderator', 'Espera a otra moderadora')}</b>
        )}
      </span>
      <span className="relative z-1 text-meta text-text-2 max-md:pl-15">
        {status === 'decided' ? (
          decision && caseActionText(decision)
        ) : claimed === 'other' ? (
          en('Claimed', 'Tomado')
        ) : claimed === 'me' ? (
          en('Yours', 'Tuyo')
        ) : (
          <Button
            kind="soft"
            size="sm"
            aria-label={en(`Claim: ${caseTitleOf(summary)}`, `Tomar: ${caseTitleOf(summary)}`)}
            busy={claim.isPending}
            onClick={() => claim.mutate('claim')}
          >
            {en('Claim', 'Tomarlo')}
          </Button>
        )}
      </span>
      <RefusalAlert error={claim.error} className="text-meta" />
    </li>
  )
}
