import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import {
  claimCaseEndpoint,
  decideCaseEndpoint,
  enterModerationEndpoint,
  releaseCaseEndpoint,
} from '#contract/generated-endpoints.ts'
import { maxModerationReasonLength } from '#contract/limits.ts'
import type { ModerationCase, ModerationCaseSummary } from '#contract/moderation/cases.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { moderationQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-mutation.ts'
import { LabelledFormField, PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { caseQuery, type ModerationTab, moderationCasesQuery } from './case-queries.ts'
import { reasonLabels } from './report-reasons.ts'

const tabs: readonly [ModerationTab, string][] = [
  ['open', 'Open'],
  ['mine', 'Mine'],
  ['decided', 'Decided'],
]

const errorOf = (error: unknown) => (error instanceof ApiError ? error : undefined)
const refusalText = (error: unknown) =>
  errorOf(error)?.type ? errorOf(error)?.message : 'Something went wrong. Please try again.'

/** Shows moderators what was reported, after their password; to everybody else there is no such page. */
export function ModerationScreen() {
  const [tab, setTab] = useState<ModerationTab>('open')
  const [caseId, setCaseId] = useState<string>()
  const query = useInfiniteQuery(moderationCasesQuery(tab))
  if (errorOf(query.error)?.code === 404) return <NotFoundScreen />
  if (errorOf(query.error)?.type === 'moderation_password_required') return <EntryForm />
  if (caseId) return <CaseView caseId={caseId} onClose={() => setCaseId(undefined)} />
  return (
    <>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        You see what was reported and chosen, nothing else: no other messages, no e-mail, no blocks, not who
        reported.
      </p>
      <div role="tablist" aria-label="Cases" className="mb-3.5 flex gap-2">
        {tabs.map(([name, label]) => (
          <Button
            key={name}
            role="tab"
            kind={tab === name ? 'primary' : 'quiet'}
            size="sm"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
          >
            {label}
          </Button>
        ))}
      </div>
      <section aria-label="Cases">
        <QueryView
          query={query}
          skeleton={<Skeleton className="h-40 rounded-card" />}
          noticeClassName="mb-3.5"
          isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0)}
          empty={
            <div className="card">
              <EmptyState title="Nothing here." />
            </div>
          }
        >
          {({ pages }) => (
            <ul className="card divide-y divide-border px-4 md:px-6">
              {pages
                .flatMap(({ documents }) => documents)
                .map((each) => (
                  <CaseRow key={each.$id} summary={each} onOpen={() => setCaseId(each.$id)} />
                ))}
            </ul>
          )}
        </QueryView>
        <LoadMore query={query} what="cases" />
      </section>
    </>
  )
}

function EntryForm() {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const entering = useSingleFlightMutation({
    mutationFn: () => callApiOperation(enterModerationEndpoint, { password }),
    onSuccess: () => client.resetQueries({ queryKey: moderationQueryKeys.all }),
  })
  function enter(event: FormEvent) {
    event.preventDefault()
    entering.mutate()
  }
  return (
    <form onSubmit={enter} className="card space-y-5 p-5 md:p-7">
      <p className="text-pretty text-text-2">Your password, for half an hour in this browser.</p>
      <LabelledFormField label="Password" error={entering.isError ? refusalText(entering.error) : undefined}>
        {(field) => (
          <PasswordInput
            {...field}
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </LabelledFormField>
      <Button type="submit" busy={entering.isPending}>
        Enter
      </Button>
    </form>
  )
}

const kindLabels: Record<ModerationCaseSummary['kind'], string> = {
  post: 'Post',
  member: 'Profile',
  message: 'Message',
  group: 'Group',
}
const claimText = { me: 'Claimed by you', other: 'Claimed by another' } as const

function CaseRow({ summary, onOpen }: { summary: ModerationCaseSummary; onOpen: () => void }) {
  const { kind, severity, reportCount, claimed, decision, $createdAt } = summary
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <div className="min-w-0 flex-1">
        <p className="font-[640]">
          {kindLabels[kind]} · severity {severity}
        </p>
        <p className="text-meta text-text-2">
          {reportCount === 1 ? '1 report' : `${reportCount} reports`} · <RelativeTime at={$createdAt} />
          {claimed && ` · ${claimText[claimed]}`}
          {decision && ` · ${decision}`}
        </p>
      </div>
      <Button kind="outline" size="sm" onClick={onOpen}>
        Look
      </Button>
    </li>
  )
}

function CaseView({ caseId, onClose }: { caseId: string; onClose: () => void }) {
  const query = useQuery(caseQuery(caseId))
  return (
    <>
      <Button kind="ghost" onClick={onClose} className="mb-3.5 -ml-3">
        All cases
      </Button>
      <QueryView query={query} skeleton={<Skeleton className="h-60 rounded-card" />} noticeClassName="mb-3.5">
        {(shown) => (
          <div className="space-y-3.5">
            {shown.reports.map((report) => (
              <ReportCard key={report.number} caseId={caseId} report={report} />
            ))}
            <Decision shown={shown} />
            <History shown={shown} />
          </div>
        )}
      </QueryView>
    </>
  )
}

type Report = ModerationCase['reports'][number]

function ReportCard({ caseId, report }: { caseId: string; report: Report }) {
  const { number, reason, note, evidence, reporter } = report
  return (
    <section aria-label={`Reporter ${number}`} className="card space-y-3 p-5 md:p-7">
      <h2 className="font-[680]">
        Reporter {number} · {reporter.reports} reports, {reporter.upheld} upheld
      </h2>
      <p>{reasonLabels[reason]}</p>
      {note && <p className="wrap-anywhere whitespace-pre-wrap text-text-2">{note}</p>}
      {evidence.map((item) => (
        <Evidence key={item.place} caseId={caseId} item={item} />
      ))}
    </section>
  )
}

/** The parts of what was kept that are texts, in the order they are read. */
const shownTexts = ['name', 'username', 'bio', 'caption', 'location', 'description', 'content'] as const

function Evidence({ caseId, item }: { caseId: string; item: Report['evidence'][number] }) {
  const { snapshot, place, sealedAt, keptUntil, hasPicture } = item
  const by = (snapshot.creator ?? snapshot.sender ?? snapshot.admin) as { name?: string } | undefined
  return (
    <figure className="rounded-photo bg-sunken p-4">
      {hasPicture && (
        <img
          src={`/v1/moderation/cases/${caseId}/evidence/${place}/picture`}
          alt="As it was when it was reported"
          className="mb-3 max-h-[420px] rounded-tile"
        />
      )}
      {by?.name && <p className="text-meta text-text-2">{by.name}</p>}
      {shownTexts.map(
        (name) =>
          typeof snapshot[name] === 'string' &&
          snapshot[name] !== '' && (
            <p key={name} dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {snapshot[name] as string}
            </p>
          ),
      )}
      <figcaption className="mt-2 text-meta text-text-2">
        Sealed <RelativeTime at={sealedAt} inSentence />
        {keptUntil && ` · kept until ${new Date(keptUntil).toLocaleDateString('en')}`}
      </figcaption>
    </figure>
  )
}

const lengths: readonly [string, 1 | 3 | 7 | 30 | null][] = [
  ['1 day', 1],
  ['3 days', 3],
  ['7 days', 7],
  ['30 days', 30],
  ['For good', null],
]

function Decision({ shown }: { shown: ModerationCase }) {
  const { $id: caseId, claimed, status, about } = shown
  const id = useId()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const act = useSingleFlightMutation({
    mutationFn: (call: () => Promise<ModerationCase>) => call(),
    onSuccess: (changed) => {
      client.setQueryData(caseQuery(caseId).queryKey, changed)
      void client.invalidateQueries({ queryKey: moderationQueryKeys.lists })
    },
    onError: () => void client.invalidateQueries({ queryKey: moderationQueryKeys.all }),
  })
  if (status === 'decided') return <p className="card p-5">Decided: {shown.decision}</p>
  const decide = (decision: 'dismiss' | 'suspend', days?: (typeof lengths)[number][1]) =>
    act.mutate(() => callApiOperation(decideCaseEndpoint, { caseId, decision, text, days }))
  const withoutReason = text.trim() === ''
  return (
    <section aria-label="Decision" className="card space-y-4 p-5 md:p-7">
      {claimed === 'me' ? (
        <>
          <div>
            <label htmlFor={id} className="text-label font-[620]">
              Reason
            </label>
            <TextArea
              id={id}
              rows={3}
              maxLength={maxModerationReasonLength}
              value={text}
              onChange={({ target }) => setText(target.value)}
              className="mt-1.5"
            />
          </div>
          <div className="flex flex-wrap gap-2.5">
            <Button disabled={withoutReason || act.isPending} onClick={() => decide('dismiss')}>
              Dismiss
            </Button>
            {about &&
              lengths.map(([label, days]) => (
                <Button
                  key={label}
                  kind="danger"
                  disabled={withoutReason || act.isPending}
                  aria-label={`Suspend ${about.name}: ${label}`}
                  onClick={() => decide('suspend', days)}
                >
                  Suspend: {label}
                </Button>
              ))}
            <Button
              kind="quiet"
              busy={act.isPending}
              onClick={() => act.mutate(() => callApiOperation(releaseCaseEndpoint, { caseId }))}
            >
              Release
            </Button>
          </div>
        </>
      ) : (
        <Button
          busy={act.isPending}
          onClick={() => act.mutate(() => callApiOperation(claimCaseEndpoint, { caseId }))}
        >
          Claim
        </Button>
      )}
      {act.isError && (
        <p role="alert" className="text-label font-[550] text-danger">
          {refusalText(act.error)}
        </p>
      )}
    </section>
  )
}

function History({ shown }: { shown: ModerationCase }) {
  return (
    <section aria-label="Log" className="card p-5 text-meta text-text-2 md:p-7">
      {shown.earlier.length > 0 && (
        <p>Decided before about this member: {shown.earlier.map(({ decision }) => decision).join(', ')}</p>
      )}
      <ol>
        {shown.log.map(({ act, at, by }) => (
          <li key={`${act}${at}`}>
            {act} · {by === 'me' ? 'you' : by === 'other' ? 'another moderator' : 'the operator'} ·{' '}
            <RelativeTime at={at} />
          </li>
        ))}
      </ol>
    </section>
  )
}
