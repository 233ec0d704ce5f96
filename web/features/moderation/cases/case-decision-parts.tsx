import { type ReactNode, useId } from 'react'
import { en } from '#contract/language.ts'
import { maxModerationReasonLength } from '#contract/limits.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { caseActionText } from './case-labels.ts'
import { CasePanel } from './case-page-parts.tsx'

type OptionsProps<Option> = {
  options: readonly Option[]
  chosen: Option | undefined
  onChoose: (option: Option) => void
}

export function DecisionOptions<Option extends { decision: string; label: string; text: string }>(
  props: OptionsProps<Option>,
) {
  const { options, chosen, onChoose } = props
  const name = useId()
  return (
    <fieldset>
      <legend className="sr-only">{en('What to do', 'Qué hacer')}</legend>
      {options.map((option) => (
        <RadioOption
          key={option.decision}
          name={name}
          checked={option.decision === chosen?.decision}
          onChoose={() => onChoose(option)}
          label={option.label}
          text={option.text}
          tinted
        />
      ))}
    </fieldset>
  )
}

type ReasonProps = {
  label: string
  optional?: boolean
  value: string
  onChange: (text: string) => void
}

export function ReasonField({ label, optional, value, onChange }: ReasonProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="mt-3.5 block text-label font-[620]">
        {label}
        {optional && <span className="font-normal text-text-2">{en(' Optional', ' Opcional')}</span>}
      </label>
      <TextArea
        id={id}
        rows={3}
        maxLength={maxModerationReasonLength}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="mt-1.5"
      />
    </>
  )
}

export function DecisionButtonRow({ children }: { children: ReactNode }) {
  return <div className="mt-4 flex justify-end gap-2.5 max-md:flex-col-reverse">{children}</div>
}

type Decided = { decision: string | null; text: string | null }

export function DecidedPanel({ decided: { decision, text } }: { decided: Decided }) {
  return (
    <CasePanel
      title={en(`Decided: ${caseActionText(decision ?? '')}`, `Decidido: ${caseActionText(decision ?? '')}`)}
    >
      {text && (
        <p dir="auto" className="text-pretty wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      )}
    </CasePanel>
  )
}
