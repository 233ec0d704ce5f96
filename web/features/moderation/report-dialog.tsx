/** Reports a post, a member, a message or a group: asks what is wrong and what else should be known. */
import { useQueryClient } from '@tanstack/react-query'
import { Ban, Check, Hand, Lock, type LucideIcon, Phone } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createReportEndpoint } from '#contract/generated-endpoints.ts'
import { maxReportedMessages, maxReportNoteLength } from '#contract/limits.ts'
import type { ReportDesk, ReportReason, ReportSubjectKind } from '#contract/moderation/reports.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { reportQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { BlockDialog } from '#web/features/blocks/block-dialog.tsx'
import { formatClockTime } from '#web/features/chat/messages/message-grouping.ts'
import { useRestrictMember } from '#web/features/mutes/restriction-mutations.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Modal } from '#web/ui/modal.tsx'
import { reasonExplanations, reasonLabels } from './report-reasons.ts'

export type ReportedSubject = {
  kind: ReportSubjectKind
  id: string
  /** Whether it is a post of a group. */
  inGroup?: boolean
  /** Who could be blocked afterwards. */
  person?: { $id: string; name: string }
  /** Of a reported message the messages around it, oldest first, itself among them. */
  messages?: readonly { $id: string; content: string; at: string; mine: boolean }[]
}

export type ReportDialogProps = { subject: ReportedSubject; onClose: () => void }

const subjectWords: Record<ReportSubjectKind, string> = {
  post: 'post',
  member: 'profile',
  message: 'message',
  group: 'group',
}

/** From this share of the longest note on it says how long it is. */
const countedFrom = 0.8

/** Asks what is wrong, then what else should be known, and says who looks at it. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const id = useId()
  const client = useQueryClient()
  const title = useRef<HTMLHeadingElement>(null)
  const [step, setStep] = useState<1 | 2>(1)
  const [reason, setReason] = useState<ReportReason>()
  const [note, setNote] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [passesBy, setPassesBy] = useState(false)
  const [blocking, setBlocking] = useState(false)
  const goesToAdmin = subject.inGroup === true && (reason === 'spam' || reason === 'off-topic')
  const sending = useSingleFlightMutation({
    mutationFn: () =>
      callApiOperation(createReportEndpoint, {
        subject: { kind: subject.kind, id: subject.id },
        reason: reason as ReportReason,
        note,
        messages: subject.kind === 'message' ? [...chosen] : undefined,
        desk: goesToAdmin && !passesBy ? undefined : 'moderators',
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: reportQueryKeys.all }),
  })
  const shown = sending.isSuccess ? 3 : step

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves with the step
  useEffect(() => title.current?.focus(), [shown])

  if (blocking && subject.person) return <BlockDialog person={subject.person} open onClose={onClose} />
  return (
    <Modal
      open
      role="dialog"
      labelledBy={`${id}-title`}
      onClose={onClose}
      className="w-[min(520px,calc(100%-32px))]"
    >
      <div className="max-h-[min(92dvh,760px)] overflow-y-auto p-5 md:p-7">
        <p className="mb-1 text-meta font-[600] text-text-2">Step {shown} of 3</p>
        <StepBar step={shown} />
        {shown === 3 && (
          <span className="mb-4 grid size-16 place-items-center rounded-full bg-success-soft text-success">
            <Check aria-hidden size={32} strokeWidth={2.6} />
          </span>
        )}
        <h2
          id={`${id}-title`}
          ref={title}
          tabIndex={-1}
          className="heading text-2xl leading-[1.875rem] text-balance outline-none"
        >
          {shown === 1 && `What is wrong with this ${subjectWords[subject.kind]}?`}
          {shown === 2 &&
            (subject.kind === 'message' ? 'What may the moderators see?' : 'Anything we should know?')}
          {sending.data && thanks[sending.data.desk]}
        </h2>
        {shown === 1 && (
          <>
            <Reasons inGroup={subject.inGroup} chosen={reason} onChange={setReason} />
            <Actions back="Cancel" onBack={onClose}>
              <Button disabled={!reason} onClick={() => setStep(2)}>
                Next
              </Button>
            </Actions>
          </>
        )}
        {shown === 2 && (
          <>
            {subject.kind === 'message' && (
              <Messages subject={subject} chosen={chosen} onChange={setChosen} />
            )}
            <Note
              label={subject.kind === 'message' ? 'Anything we should know?' : 'Your note'}
              value={note}
              onChange={setNote}
            />
            {goesToAdmin && <DeskChoice passesBy={passesBy} onChange={setPassesBy} />}
            <p className="mt-4 flex items-start gap-2 text-meta text-pretty text-text-2">
              <Lock aria-hidden size={16} strokeWidth={2} className="mt-0.5 flex-none" />
              We keep a copy, so deleting changes nothing. Nobody is told who reported.
              {subject.kind === 'message' && ' If we act she may guess: only you two write here.'}
            </p>
            {sending.isError && (
              <p role="alert" className="mt-4 text-label font-[550] text-danger">
                {refusalText(sending.error)}
              </p>
            )}
            <Actions back="Back" onBack={() => setStep(1)}>
              <Button busy={sending.isPending} onClick={() => sending.mutate()}>
                Send report
              </Button>
            </Actions>
          </>
        )}
        {shown === 3 && (
          <>
            <p className="mt-1 text-pretty text-text-2">
              You’ll find what {sending.data?.desk === 'group' ? 'she decides' : 'they decide'} under Privacy
              and safety → Your reports.
            </p>
            {subject.person && (
              <BlockOrRestrict
                person={subject.person}
                onBlock={() => setBlocking(true)}
                onRestricted={onClose}
              />
            )}
            {sending.data && sending.data.helpLines.length > 0 && (
              <HelpLines lines={sending.data.helpLines} />
            )}
            <Actions>
              <Button onClick={onClose}>Done</Button>
            </Actions>
          </>
        )}
      </div>
    </Modal>
  )
}

const thanks: Record<ReportDesk, string> = {
  moderators: 'Thank you. It is with the moderators.',
  group: 'Thank you. It is with the group’s admin.',
}

/** What can be said here of a refusal: the catalogue's own sentence, or that it did not arrive. */
const refusalText = (error: unknown) =>
  error instanceof ApiError && [400, 404, 429].includes(error.code)
    ? error.message
    : 'Something went wrong. Please try again.'

/** Shows how far the dialog is; the words above say it. */
function StepBar({ step }: { step: number }) {
  return (
    <div aria-hidden className="mb-4.5 flex gap-1.5">
      {[1, 2, 3].map((each) => (
        <span
          key={each}
          className={cx('flex-1 rounded-full pt-1', each <= step ? 'bg-brand' : 'bg-border-control')}
        />
      ))}
    </div>
  )
}

type BlockOrRestrictProps = {
  person: NonNullable<ReportedSubject['person']>
  onBlock: () => void
  onRestricted: () => void
}

/** Offers what the member can do without waiting for a decision. */
function BlockOrRestrict({ person, onBlock, onRestricted }: BlockOrRestrictProps) {
  const restrict = useRestrictMember(person)
  return (
    <div className="mt-4.5 rounded-photo bg-sunken px-2 py-1.5">
      <WayOut
        icon={Ban}
        danger
        label={`Block ${person.name}`}
        text="You won’t see anything of each other."
        onChoose={onBlock}
      />
      <WayOut
        icon={Hand}
        label="Restrict her instead"
        text="Her messages wait in your requests. She won’t notice."
        busy={restrict.isPending}
        onChoose={() => restrict.mutate(undefined, { onSuccess: onRestricted })}
      />
    </div>
  )
}

type WayOutProps = {
  icon: LucideIcon
  label: string
  text: string
  danger?: boolean
  busy?: boolean
  onChoose: () => void
}

function WayOut({ icon: Icon, label, text, danger = false, busy = false, onChoose }: WayOutProps) {
  const id = useId()
  return (
    <button
      type="button"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-text`}
      aria-busy={busy || undefined}
      onClick={() => !busy && onChoose()}
      className="flex w-full items-start gap-3.5 rounded-input px-3 py-2.5 text-left hover:bg-border"
    >
      <Icon
        aria-hidden
        size={20}
        strokeWidth={2}
        className={cx('mt-0.5 flex-none', danger ? 'text-danger' : 'text-text-2')}
      />
      <span className="min-w-0 wrap-anywhere">
        <span id={`${id}-label`} className={cx('block font-[640]', danger && 'text-danger')}>
          {label}
        </span>
        <span id={`${id}-text`} className="block text-meta text-pretty text-text-2">
          {text}
        </span>
      </span>
    </button>
  )
}

type HelpLine = OperationOutput<typeof createReportEndpoint>['helpLines'][number]

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Says whom to call in danger: the emergency number, and the lines that the operator set. */
function HelpLines({ lines }: { lines: readonly HelpLine[] }) {
  return (
    <p className="mt-4.5 flex items-center gap-3.5 rounded-photo bg-accent-soft px-4 py-3.5 text-label text-pretty text-on-accent-soft">
      <Phone aria-hidden size={24} strokeWidth={1.9} className="flex-none" />
      <span>
        Are you in danger now? <PhoneNumber number="112" />.{' '}
        {lines.map(({ country, number }) => (
          <Fragment key={`${country}${number}`}>
            In {countryNames.of(country)}, <PhoneNumber number={number} /> listens day and night.{' '}
          </Fragment>
        ))}
        {lines.length === 1 ? 'It is' : 'They are'} not on the bill; delete{' '}
        {lines.length === 1 ? 'it' : 'them'} from your call list.
      </span>
    </p>
  )
}

function PhoneNumber({ number }: { number: string }) {
  return (
    <a
      href={`tel:${number.replaceAll(' ', '')}`}
      className="text-body font-bold whitespace-nowrap hover:underline"
    >
      {number}
    </a>
  )
}

type ActionsProps = { back?: string; onBack?: () => void; children: ReactNode }

function Actions({ back, onBack, children }: ActionsProps) {
  return (
    <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
      {back && (
        <Button kind="quiet" onClick={onBack}>
          {back}
        </Button>
      )}
      {children}
    </div>
  )
}

type ReasonsProps = {
  inGroup: boolean | undefined
  chosen: ReportReason | undefined
  onChange: (reason: ReportReason) => void
}

function Reasons({ inGroup = false, chosen, onChange }: ReasonsProps) {
  const name = useId()
  const reasons = Object.keys(reasonLabels) as ReportReason[]
  return (
    <fieldset className="-mx-2 mt-3.5">
      <legend className="sr-only">What is wrong</legend>
      {reasons
        .filter((reason) => inGroup || reason !== 'off-topic')
        .map((reason) => (
          <div key={reason} className={cx('rounded-input px-2', chosen === reason && 'bg-brand-soft')}>
            <RadioOption
              name={name}
              checked={chosen === reason}
              onChoose={() => onChange(reason)}
              label={reasonLabels[reason]}
              text={reasonExplanations[reason]}
            />
          </div>
        ))}
    </fieldset>
  )
}

type MessagesProps = {
  subject: ReportedSubject
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Lists the messages around the reported one, which is shown in any case. */
function Messages({ subject, chosen, onChange }: MessagesProps) {
  return (
    <>
      <p className="mt-2 text-pretty text-text-2">
        Only what you choose here. Nothing else of your conversation.
      </p>
      <ul className="mt-4 max-h-[38dvh] space-y-1 overflow-y-auto">
        {(subject.messages ?? []).map(({ $id, content, at, mine }) => {
          const fixed = $id === subject.id
          const checked = fixed || chosen.includes($id)
          return (
            <li key={$id}>
              <label className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  checked={checked}
                  disabled={fixed || (!checked && chosen.length >= maxReportedMessages)}
                  onChange={() =>
                    onChange(checked ? chosen.filter((other) => other !== $id) : [...chosen, $id])
                  }
                  className="size-5.5 flex-none accent-brand"
                />
                <span
                  className={cx(
                    'min-w-0 rounded-card-small px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
                    mine ? 'bg-bubble-me' : 'bg-bubble-them',
                    fixed && 'inset-ring-[1.5px] inset-ring-danger',
                  )}
                >
                  <span className="sr-only">{mine ? 'You: ' : 'The other: '}</span>
                  <span dir="auto">{content}</span>{' '}
                  <time dateTime={at} className="text-micro text-text-2 tabular-nums">
                    {formatClockTime(new Date(at))}
                  </time>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </>
  )
}

type DeskChoiceProps = { passesBy: boolean; onChange: (passesBy: boolean) => void }

/** Asks who shall look at what a group's admin would look at. */
function DeskChoice({ passesBy, onChange }: DeskChoiceProps) {
  const name = useId()
  return (
    <fieldset className="mt-1">
      <legend className="text-label font-[620]">Who looks at it</legend>
      <RadioOption
        name={name}
        checked={!passesBy}
        onChoose={() => onChange(false)}
        label="The group’s admin"
        text="She reads your note, not your name. What is about herself goes to the moderators."
      />
      <RadioOption name={name} checked={passesBy} onChoose={() => onChange(true)} label="The moderators" />
    </fieldset>
  )
}

type NoteProps = { label: string; value: string; onChange: (note: string) => void }

function Note({ label, value, onChange }: NoteProps) {
  const id = useId()
  return (
    <div className="mt-4">
      <label htmlFor={id} className="text-label font-[620]">
        {label} <span className="font-normal text-text-2">Optional</span>
      </label>
      <TextArea
        id={id}
        rows={3}
        maxLength={maxReportNoteLength}
        value={value}
        aria-describedby={`${id}-count`}
        onChange={({ target }) => onChange(target.value)}
        className="mt-1.5 resize-y"
      />
      <p id={`${id}-count`} className="mt-1 min-h-5 text-right text-meta text-text-2 tabular-nums">
        {value.length >= maxReportNoteLength * countedFrom && `${value.length} of ${maxReportNoteLength}`}
      </p>
    </div>
  )
}
