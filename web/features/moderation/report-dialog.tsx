import { useQueryClient } from '@tanstack/react-query'
import { Ban, CircleCheck, Lock } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createReportEndpoint } from '#contract/generated-endpoints.ts'
import { maxReportedMessages, maxReportNoteLength } from '#contract/limits.ts'
import type { ReportDesk, ReportReason, ReportSubjectKind } from '#contract/moderation/reports.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { reportQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-mutation.ts'
import { BlockDialog } from '#web/features/blocks/block-dialog.tsx'
import { formatClockTime } from '#web/features/chat/messages/message-grouping.ts'
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
  const [blocking, setBlocking] = useState(false)
  const sending = useSingleFlightMutation({
    mutationFn: () =>
      callApiOperation(createReportEndpoint, {
        subject: { kind: subject.kind, id: subject.id },
        reason: reason as ReportReason,
        note,
        messages: subject.kind === 'message' ? [...chosen] : undefined,
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
        <p className="text-meta text-text-2">Step {shown} of 3</p>
        <h2
          id={`${id}-title`}
          ref={title}
          tabIndex={-1}
          className="heading mt-1 text-2xl leading-[30px] outline-none"
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
            <p className="mt-3 flex items-start gap-3 text-pretty text-text-2">
              <CircleCheck aria-hidden size={20} strokeWidth={1.9} className="mt-0.5 flex-none text-brand" />
              You’ll find what they decide under Privacy and safety, Your reports.
            </p>
            <Actions
              back={subject.person ? `Block ${subject.person.name}` : undefined}
              icon={<Ban aria-hidden size={18} strokeWidth={2} />}
              onBack={() => setBlocking(true)}
            >
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

type ActionsProps = {
  back: string | undefined
  icon?: ReactNode
  onBack: () => void
  children: ReactNode
}

function Actions({ back, icon, onBack, children }: ActionsProps) {
  return (
    <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
      {back && (
        <Button kind="quiet" onClick={onBack}>
          {icon}
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
    <fieldset className="mt-4 divide-y divide-border">
      <legend className="sr-only">What is wrong</legend>
      {reasons
        .filter((reason) => inGroup || reason !== 'off-topic')
        .map((reason) => (
          <label key={reason} className="flex min-h-12 items-center gap-3.5 py-2">
            <input
              type="radio"
              name={name}
              checked={chosen === reason}
              onChange={() => onChange(reason)}
              className="size-5.5 flex-none accent-brand"
            />
            <span>
              <span className="block font-[620]">{reasonLabels[reason]}</span>
              {reasonExplanations[reason] && (
                <span className="block text-meta text-text-2">{reasonExplanations[reason]}</span>
              )}
            </span>
          </label>
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
