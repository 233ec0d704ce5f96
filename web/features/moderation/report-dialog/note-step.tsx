import { Lock } from 'lucide-react'
import { useId } from 'react'
import { en } from '#contract/language.ts'
import { maxReportNoteLength } from '#contract/limits.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { Button } from '#web/ui/button.tsx'
import { RefusalAlert } from '../refusal-alert.tsx'
import { ReportedMessagesPicker } from './reported-messages-picker.tsx'
import type { ReportedSubject } from './reported-subject.ts'
import { StepButtons } from './step-controls.tsx'

export type ReportNoteStepValues = {
  note: string
  messages: readonly string[]
  skipsAdmin: boolean
}

type Props = {
  subject: ReportedSubject
  goesToAdmin: boolean
  details: ReportNoteStepValues
  onChange: (change: Partial<ReportNoteStepValues>) => void
  sending: { isPending: boolean; error: unknown }
  onBack: () => void
  onSend: () => void
}

export function NoteStep({ subject, goesToAdmin, details, onChange, sending, onBack, onSend }: Props) {
  const isMessage = subject.kind === 'message'
  return (
    <>
      {isMessage && (
        <ReportedMessagesPicker
          subject={subject}
          chosen={details.messages}
          onChange={(messages) => onChange({ messages })}
        />
      )}
      <Note
        label={
          isMessage ? en('Anything we should know?', '¿Algo que debamos saber?') : en('Your note', 'Tu nota')
        }
        value={details.note}
        onChange={(note) => onChange({ note })}
      />
      {goesToAdmin && (
        <ReviewQueueChoice
          skipsAdmin={details.skipsAdmin}
          onChange={(skipsAdmin) => onChange({ skipsAdmin })}
        />
      )}
      <p className="mt-4 flex items-start gap-2 text-meta text-pretty text-text-2">
        <Lock aria-hidden size={16} strokeWidth={2} className="mt-0.5 flex-none" />
        {en(
          'We keep a copy, so deleting it changes nothing. Nobody finds out who reported.',
          'Guardamos una copia: borrarlo no cambia nada. Nadie sabrá quién denunció.',
        )}
        {isMessage &&
          en(
            ' If we act, she may guess who reported: only you two write here.',
            ' Si hacemos algo, puede imaginar quién denunció: aquí solo escriben ella y tú.',
          )}
      </p>
      <RefusalAlert error={sending.error} />
      <StepButtons back={en('Back', 'Atrás')} onBack={onBack}>
        <Button busy={sending.isPending} onClick={onSend}>
          {en('Send report', 'Enviar la denuncia')}
        </Button>
      </StepButtons>
    </>
  )
}

type ReviewQueueChoiceProps = { skipsAdmin: boolean; onChange: (skipsAdmin: boolean) => void }

function ReviewQueueChoice({ skipsAdmin, onChange }: ReviewQueueChoiceProps) {
  const name = useId()
  return (
    <fieldset className="mt-1">
      <legend className="text-label font-[620]">{en('Who reviews it', 'Quién la revisa')}</legend>
      <RadioOption
        name={name}
        checked={!skipsAdmin}
        onChoose={() => onChange(false)}
        label={en('The group’s admin', 'La administradora del grupo')}
        text={en(
          'She sees your note, not your name. Reports about her go to the moderators.',
          'Ve tu nota, no tu nombre. Las denuncias sobre ella van a las moderadoras.',
        )}
      />
      <RadioOption
        name={name}
        checked={skipsAdmin}
        onChoose={() => onChange(true)}
        label={en('The moderators', 'Las moderadoras')}
      />
    </fieldset>
  )
}

/** The counter appears when this share of the maximum length is used. */
const countedFrom = 0.8

type NoteProps = { label: string; value: string; onChange: (note: string) => void }

function Note({ label, value, onChange }: NoteProps) {
  const id = useId()
  return (
    <div className="mt-4">
      <label htmlFor={id} className="text-label font-[620]">
        {label} <span className="font-normal text-text-2">{en('Optional', 'Opcional')}</span>
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
        {value.length >= maxReportNoteLength * countedFrom &&
          en(`${value.length} of ${maxReportNoteLength}`, `${value.length} de ${maxReportNoteLength}`)}
      </p>
    </div>
  )
}
