import { useId } from 'react'
import { en } from '#contract/language.ts'
import type { ReportReason } from '#contract/moderation/reports.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { Button } from '#web/ui/button.tsx'
import { reasonExplanations, reportReasonLabels } from '../report-reasons.ts'
import { StepButtons } from './step-controls.tsx'

type Props = {
  /** A post in a group can also be reported as off-topic. */
  inGroup: boolean | undefined
  chosen: ReportReason | undefined
  onChoose: (reason: ReportReason) => void
  onCancel: () => void
  onNext: () => void
}

export function ReasonStep({ inGroup = false, chosen, onChoose, onCancel, onNext }: Props) {
  const name = useId()
  const reasons = Object.keys(reportReasonLabels) as ReportReason[]
  return (
    <>
      <fieldset className="mt-3.5">
        <legend className="sr-only">{en('What is wrong', 'Qué está mal')}</legend>
        {reasons
          .filter((reason) => inGroup || reason !== 'off-topic')
          .map((reason) => (
            <RadioOption
              key={reason}
              name={name}
              checked={chosen === reason}
              onChoose={() => onChoose(reason)}
              label={reportReasonLabels[reason]}
              text={reasonExplanations[reason]}
              tinted
            />
          ))}
      </fieldset>
      <StepButtons back={en('Cancel', 'Cancelar')} onBack={onCancel}>
        <Button disabled={!chosen} onClick={onNext}>
          {en('Next', 'Siguiente')}
        </Button>
      </StepButtons>
    </>
  )
}
