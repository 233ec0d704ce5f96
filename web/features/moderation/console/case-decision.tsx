import { useState } from 'react'
import { claimCaseEndpoint, decideCaseEndpoint, releaseCaseEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { ModerationCase, ModerationDecision } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { SegmentedRadio } from '#web/forms/segmented-radio.tsx'
import { Button } from '#web/ui/button.tsx'
import { DecidedPanel, DecisionButtons, DecisionOptions, ReasonField } from '../cases/case-decision-parts.tsx'
import { CasePanel } from '../cases/case-page-parts.tsx'
import { RefusalAlert } from '../refusal-alert.tsx'
import { useCaseMutation } from './use-case-mutation.ts'

type Days = 1 | 3 | 7 | 30 | null

const lengths: readonly [string, Days][] = [
  [en('1 day', '1 día'), 1],
  [en('3 days', '3 días'), 3],
  [en('7 days', '7 días'), 7],
  [en('30 days', '30 días'), 30],
  [en('For good', 'Para siempre'), null],
]

type Option = { decision: ModerationDecision; label: string; text: string }

/** What can be hidden, and who sees it then. */
const hideOptions: Partial<Record<ModerationCase['kind'], Option>> = {
  post: {
    decision: 'hide',
    label: en('Hide the post', 'Ocultar la publicación'),
    text: en('Only its author sees it, with your reason.', 'Solo la ve su autora, con tu motivo.'),
  },
  group: {
    decision: 'hide',
    label: en('Hide the group', 'Ocultar el grupo'),
    text: en(
      'Only its members see its name, photo and description.',
      'Solo sus integrantes ven su nombre, foto y descripción.',
    ),
  },
  comment: {
    decision: 'hide',
    label: en('Hide the comment', 'Ocultar el comentario'),
    text: en(
      'Its words are gone for everybody, for good: a review cannot bring them back. Answers stay.',
      'Sus palabras desaparecen para todas y para siempre: una revisión no puede devolverlas. Las respuestas se quedan.',
    ),
  },
}

/** What is hidden with the account of its author. */
const hiddenWithAuthor: Partial<Record<ModerationCase['kind'], string>> = {
  post: en(' Hides the post too.', ' También oculta la publicación.'),
  comment: en(' Hides the comment too, for good.', ' También oculta el comentario, para siempre.'),
}

function optionsOf({ kind, about }: ModerationCase): Option[] {
  const dismiss = {
    decision: 'dismiss',
    label: en('Dismiss', 'Archivar'),
    text: en(
      'No breach. The report is closed kindly.',
      'No hay falta. La denuncia se cierra con amabilidad.',
    ),
  } as const
  const hide = hideOptions[kind]
  const warn = {
    decision: 'warn',
    label: en('Warn', 'Advertir'),
    text: en('She reads your reason before she goes on.', 'Lee tu motivo antes de seguir.'),
  } as const
  const suspend = {
    decision: 'suspend',
    label: en('Suspend', 'Suspender'),
    text:
      en('Hidden and signed out until it ends.', 'Oculta y sin sesión hasta que termine.') +
      (hiddenWithAuthor[kind] ?? ''),
  } as const
  return [dismiss, ...(hide ? [hide] : []), ...(about ? [warn, suspend] : [])]
}

/** What a decision's button says: what will happen. */
function buttonLabel(option: Option, days: Days): string {
  if (option.decision !== 'suspend') return option.label
  const length = lengths.find(([, each]) => each === days)?.[0] ?? ''
  return days === null
    ? en('Suspend for good', 'Suspender para siempre')
    : en(`Suspend for ${length}`, `Suspender ${length}`)
}

type Draft = { decision?: ModerationDecision; days: Days; text: string }

/** Claims the case, gives it back or decides it; says what was decided. What was written outlasts the claim. */
export function CaseDecision({ shown }: { shown: ModerationCase }) {
  const { $id: caseId, claimed, status } = shown
  const [draft, setDraft] = useState<Draft>({ days: 7, text: '' })
  const { decision = 'dismiss', days, text } = draft
  const act = useCaseMutation(caseId, {
    claim: () => callApiOperation(claimCaseEndpoint, { caseId }),
    release: () => callApiOperation(releaseCaseEndpoint, { caseId }),
    decide: () =>
      callApiOperation(decideCaseEndpoint, {
        caseId,
        decision,
        text,
        ...(decision === 'suspend' && { days }),
      }),
  })
  if (status === 'decided') return <DecidedPanel decided={shown} />
  return (
    <CasePanel
      title={en('Decide', 'Decidir')}
      text={en(
        'Takes effect at once. She can ask for a review, which another moderator decides, where there is one.',
        'Se aplica al momento. Puede pedir una revisión, que decide otra moderadora, si la hay.',
      )}
    >
      {claimed === 'me' ? (
        <DecisionForm
          options={optionsOf(shown)}
          draft={draft}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          act={act}
        />
      ) : (
        <Button {...act.buttonState('claim', claimed === 'other')} onClick={() => act.mutate('claim')}>
          {claimed === 'other'
            ? en('Another moderator is on it', 'La lleva otra moderadora')
            : en('Claim', 'Tomarlo')}
        </Button>
      )}
      <RefusalAlert error={act.error} />
    </CasePanel>
  )
}

type FormProps = {
  options: readonly Option[]
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  act: ReturnType<typeof useCaseMutation<'claim' | 'release' | 'decide'>>
}

function DecisionForm({ options, draft: { decision, days, text }, onChange, act }: FormProps) {
  const chosen = options.find((option) => option.decision === decision)
  return (
    <>
      <DecisionOptions
        options={options}
        chosen={chosen}
        onChoose={(option) => onChange({ decision: option.decision })}
      />
      {decision === 'suspend' && (
        <fieldset className="mt-2 mb-1">
          <legend className="sr-only">{en('For how long', 'Por cuánto tiempo')}</legend>
          <SegmentedRadio
            options={lengths.map(([label, value]) => ({ label, value }))}
            chosen={days}
            onChoose={(each) => onChange({ days: each })}
          />
        </fieldset>
      )}
      <ReasonField
        label={en('Reason, as she will read it', 'Motivo, como ella lo leerá')}
        value={text}
        onChange={(written) => onChange({ text: written })}
      />
      <DecisionButtons>
        <Button kind="quiet" {...act.buttonState('release')} onClick={() => act.mutate('release')}>
          {en('Release', 'Soltarlo')}
        </Button>
        <Button
          kind={decision === undefined || decision === 'dismiss' ? 'primary' : 'danger'}
          {...act.buttonState('decide', !chosen || text.trim() === '')}
          onClick={() => act.mutate('decide')}
        >
          {chosen ? buttonLabel(chosen, days) : en('Decide', 'Decidir')}
        </Button>
      </DecisionButtons>
    </>
  )
}
