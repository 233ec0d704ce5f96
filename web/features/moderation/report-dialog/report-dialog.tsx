import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { createReportEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { ReportReason, ReportSubjectKind, ReviewQueue } from '#contract/moderation/reports.ts'
import { callApiOperation } from '#web/api/client.ts'
import { reportQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { BlockDialog } from '#web/features/people/blocks/block-dialog.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { NoteStep, type ReportNoteStepValues } from './note-step.tsx'
import { ReasonStep } from './reason-step.tsx'
import type { ReportedSubject } from './reported-subject.ts'
import { SentStep } from './sent-step.tsx'
import { StepProgressBar } from './step-controls.tsx'

export type ReportDialogProps = { subject: ReportedSubject; onClose: () => void }

const subjectWords: Record<ReportSubjectKind, string> = {
  post: en('this post', 'esta publicación'),
  member: en('this profile', 'este perfil'),
  message: en('this message', 'este mensaje'),
  group: en('this group', 'este grupo'),
  comment: en('this comment', 'este comentario'),
}

const thanks: Record<ReviewQueue, string> = {
  moderators: en(
    'Thank you. The moderators have your report.',
    'Gracias. Las moderadoras ya tienen tu denuncia.',
  ),
  group: en(
    'Thank you. The group’s admin has your report.',
    'Gracias. La administradora del grupo ya tiene tu denuncia.',
  ),
}

export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const id = useId()
  const client = useQueryClient()
  const title = useRef<HTMLHeadingElement>(null)
  const [step, setStep] = useState<1 | 2>(1)
  const [reason, setReason] = useState<ReportReason>()
  const [details, setDetails] = useState<ReportNoteStepValues>({ note: '', messages: [], skipsAdmin: false })
  const [blocking, setBlocking] = useState(false)
  const isMessage = subject.kind === 'message'
  const goesToAdmin = subject.inGroup === true && (reason === 'spam' || reason === 'off-topic')
  const sending = useSingleFlightMutation({
    mutationFn: () =>
      callApiOperation(createReportEndpoint, {
        subject: { kind: subject.kind, id: subject.id },
        reason: reason as ReportReason,
        note: details.note,
        messages: isMessage ? [...details.messages] : undefined,
        desk: goesToAdmin && !details.skipsAdmin ? undefined : 'moderators',
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: reportQueryKeys.all }),
  })
  const report = sending.data
  const shown = report ? 3 : step

  // biome-ignore lint/correctness/useExhaustiveDependencies: the title receives the focus again at each step
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
        <p className="mb-1 text-meta font-[600] text-text-2">
          {en('Step ', 'Paso ')}
          {shown}
          {en(' of 3', ' de 3')}
        </p>
        <StepProgressBar step={shown} />
        {report && (
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
          {shown === 1 &&
            en(
              `What is wrong with ${subjectWords[subject.kind]}?`,
              `¿Qué hay de malo en ${subjectWords[subject.kind]}?`,
            )}
          {shown === 2 &&
            (isMessage
              ? en('What may the moderators see?', '¿Qué pueden ver las moderadoras?')
              : en('Anything we should know?', '¿Algo que debamos saber?'))}
          {report && thanks[report.desk]}
        </h2>
        {shown === 1 && (
          <ReasonStep
            inGroup={subject.inGroup}
            chosen={reason}
            onChoose={setReason}
            onCancel={onClose}
            onNext={() => setStep(2)}
          />
        )}
        {shown === 2 && (
          <NoteStep
            subject={subject}
            goesToAdmin={goesToAdmin}
            details={details}
            onChange={(change) => setDetails((before) => ({ ...before, ...change }))}
            sending={sending}
            onBack={() => setStep(1)}
            onSend={() => sending.mutate()}
          />
        )}
        {report && (
          <SentStep
            report={report}
            person={subject.person}
            onBlock={() => setBlocking(true)}
            onClose={onClose}
          />
        )}
      </div>
    </Modal>
  )
}
