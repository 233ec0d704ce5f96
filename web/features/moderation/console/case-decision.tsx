import { useState } from 'react'
import {
  claimCaseEndpoint,
  confirmSuspensionEndpoint,
  decideCaseEndpoint,
  declineSuspensionEndpoint,
  releaseCaseEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { ModerationCase, ModerationDecision } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { SegmentedRadio } from '#web/forms/segmented-radio.tsx'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import {
  DecidedPanel,
  DecisionButtonRow,
  DecisionOptions,
  ReasonField,
} from '../cases/case-decision-parts.tsx'
import { CasePanel } from '../cases/case-page-parts.tsx'
import { type SuspensionDays, suspensionLengths, suspensionLengthText } from '../cases/suspension-lengths.ts'
import { RefusalAlert } from '../refusal-alert.tsx'
import { useCaseMutation } from './use-case-mutation.ts'

type Option = { decision: ModerationDecision; label: string; text: string }

/** Each text says who still sees the content. */
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
      'Its text is deleted for everyone, for good: a review cannot restore it. Replies stay.',
      'Su texto se borra para todas y para siempre: una revisión no puede recuperarlo. Las respuestas se quedan.',
    ),
  },
}

/** Suspending the author hides this content too. */
const hiddenWithAuthor: Partial<Record<ModerationCase['kind'], string>> = {
  post: en(' Hides the post too.', ' También oculta la publicación.'),
  comment: en(' Hides the comment too, for good.', ' También oculta el comentario, para siempre.'),
}

function optionsOf({ kind, about, can }: ModerationCase): Option[] {
  const dismiss = {
    decision: 'dismiss',
    label: en('Dismiss', 'Archivar'),
    text: en('No rules were broken. The report is closed.', 'No incumple las normas. La denuncia se cierra.'),
  } as const
  const hide = hideOptions[kind]
  const warn = {
    decision: 'warn',
    label: en('Warn', 'Advertir'),
    text: en(
      'She has to read your reason before she continues.',
      'Tiene que leer tu motivo antes de seguir.',
    ),
  } as const
  const suspend = {
    decision: 'suspend',
    label: en('Suspend', 'Suspender'),
    text:
      en(
        'Hidden and logged out until the suspension ends.',
        'Oculta y sin sesión hasta que termine la suspensión.',
      ) +
      (hiddenWithAuthor[kind] ?? '') +
      (can.suspendAlone
        ? ''
        : en(
            ' She is a moderator or operator: another moderator has to confirm it.',
            ' Es moderadora u operadora: otra moderadora tiene que confirmarlo.',
          )),
  } as const
  return [dismiss, ...(hide ? [hide] : []), ...(about ? [warn, suspend] : [])]
}

function buttonLabel(option: Option, days: SuspensionDays, { suspendAlone }: ModerationCase['can']): string {
  if (option.decision !== 'suspend') return option.label
  if (!suspendAlone) return en('Propose suspension', 'Proponer suspensión')
  return days === null
    ? en('Suspend for good', 'Suspender para siempre')
    : en(`Suspend for ${suspensionLengthText(days)}`, `Suspender ${suspensionLengthText(days)}`)
}

type Draft = { decision?: ModerationDecision; days: SuspensionDays; text: string }

export function CaseDecision({ shown }: { shown: ModerationCase }) {
  const { $id: caseId, claimed, status, proposal } = shown
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
    confirm: () => callApiOperation(confirmSuspensionEndpoint, { caseId, proposalId: proposal?.$id ?? '' }),
    decline: () => callApiOperation(declineSuspensionEndpoint, { caseId, proposalId: proposal?.$id ?? '' }),
  })
  if (status === 'decided') return <DecidedPanel decided={shown} />
  return (
    <CasePanel
      title={en('Decide', 'Decidir')}
      text={en(
        'Takes effect immediately. She can ask for a review, which another moderator decides if there is one.',
        'Se aplica al momento. Puede pedir una revisión, que decide otra moderadora, si la hay.',
      )}
    >
      {proposal && <Proposal proposal={proposal} claimed={claimed} act={act} />}
      {claimed === 'me' ? (
        <DecisionForm
          options={optionsOf(shown)}
          can={shown.can}
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

type Act = ReturnType<typeof useCaseMutation<'claim' | 'release' | 'decide' | 'confirm' | 'decline'>>

type ProposalProps = {
  proposal: NonNullable<ModerationCase['proposal']>
  claimed: ModerationCase['claimed']
  act: Act
}

/** A second moderator claims the case and confirms the suspension here. */
function Proposal({ proposal: { by, days, text, proposedAt, can }, claimed, act }: ProposalProps) {
  const length =
    days === null
      ? en('for good', 'para siempre')
      : en(`for ${suspensionLengthText(days)}`, `durante ${suspensionLengthText(days)}`)
  const title = en('Proposed suspension', 'Suspensión propuesta')
  return (
    <section aria-label={title} className="mb-4 rounded-photo bg-warning-soft px-4 py-3.5">
      <h3 className="font-[650]">
        {title} {length}
      </h3>
      <p className="mt-0.5 text-meta text-text-2">
        {by === 'me'
          ? en('You proposed it ', 'La propusiste ')
          : en('Another moderator proposed it ', 'La propuso otra moderadora ')}
        <RelativeTime at={proposedAt} inSentence />
      </p>
      <p dir="auto" className="mt-2 text-pretty wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
      <p className="mt-2 text-label text-pretty text-text-2">
        {!can.confirm
          ? en(
              'It takes effect when another moderator confirms it. If there is no other, an operator confirms it.',
              'Se aplica cuando otra moderadora la confirme. Si no hay otra, la confirma una operadora.',
            )
          : claimed === 'me'
            ? en(
                'Confirm or decline it, or decide otherwise below.',
                'Confírmala o recházala, o decide otra cosa abajo.',
              )
            : en('Claim the case to confirm it.', 'Toma el caso para confirmarla.')}
      </p>
      {claimed === 'me' && (
        <DecisionButtonRow>
          <Button kind="quiet" {...act.buttonState('decline')} onClick={() => act.mutate('decline')}>
            {by === 'me' ? en('Withdraw', 'Retirar') : en('Decline', 'Rechazar')}
          </Button>
          {can.confirm && (
            <Button kind="danger" {...act.buttonState('confirm')} onClick={() => act.mutate('confirm')}>
              {en('Confirm suspension', 'Confirmar suspensión')}
            </Button>
          )}
        </DecisionButtonRow>
      )}
    </section>
  )
}

type FormProps = {
  options: readonly Option[]
  can: ModerationCase['can']
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  act: Act
}

function DecisionForm({ options, can, draft: { decision, days, text }, onChange, act }: FormProps) {
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
            options={suspensionLengths}
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
      <DecisionButtonRow>
        <Button kind="quiet" {...act.buttonState('release')} onClick={() => act.mutate('release')}>
          {en('Release', 'Soltarlo')}
        </Button>
        <Button
          kind={decision === undefined || decision === 'dismiss' ? 'primary' : 'danger'}
          {...act.buttonState('decide', !chosen || text.trim() === '')}
          onClick={() => act.mutate('decide')}
        >
          {chosen ? buttonLabel(chosen, days, can) : en('Decide', 'Decidir')}
        </Button>
      </DecisionButtonRow>
    </>
  )
}
