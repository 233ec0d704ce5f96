import { useId, useState } from 'react'
import { claimCaseEndpoint, decideCaseEndpoint, releaseCaseEndpoint } from '#contract/generated-endpoints.ts'
import type { ModerationCase, ModerationDecision } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { DecidedPanel, DecisionButtons, DecisionOptions, ReasonField } from '../cases/case-decision-parts.tsx'
import { Panel } from '../cases/case-parts.tsx'
import { RefusalAlert } from '../refusal.tsx'
import { useCaseMutation } from './case-queries.ts'

type Days = 1 | 3 | 7 | 30 | null

const lengths: readonly [string, Days][] = [
  ['1 day', 1],
  ['3 days', 3],
  ['7 days', 7],
  ['30 days', 30],
  ['For good', null],
]

type Option = { decision: ModerationDecision; label: string; text: string }

function optionsOf({ kind, about }: ModerationCase): Option[] {
  const dismiss = {
    decision: 'dismiss',
    label: 'Dismiss',
    text: 'No breach. The report is closed kindly.',
  } as const
  const hide = {
    decision: 'hide',
    label: kind === 'post' ? 'Hide the post' : 'Hide the group',
    text:
      kind === 'post'
        ? 'Only its author sees it, with your reason.'
        : 'Only its members see its name, photo and description.',
  } as const
  const warn = { decision: 'warn', label: 'Warn', text: 'She reads your reason before she goes on.' } as const
  const suspend = {
    decision: 'suspend',
    label: 'Suspend',
    text: `Hidden and signed out until it ends.${kind === 'post' ? ' Hides the post too.' : ''}`,
  } as const
  return [dismiss, ...(kind === 'post' || kind === 'group' ? [hide] : []), ...(about ? [warn, suspend] : [])]
}

/** What a decision's button says: what will happen. */
function buttonLabel(option: Option, days: Days): string {
  if (option.decision !== 'suspend') return option.label
  const length = lengths.find(([, each]) => each === days)?.[0] ?? ''
  return days === null ? 'Suspend for good' : `Suspend for ${length}`
}

/** Claims the case, gives it back or decides it; says what was decided. */
export function CaseDecision({ shown }: { shown: ModerationCase }) {
  const { $id: caseId, claimed, status } = shown
  const act = useCaseMutation(caseId)
  if (status === 'decided') return <DecidedPanel decided={shown} />
  return (
    <Panel
      title="Decide"
      text="Takes effect at once. She can ask for a review, which another moderator decides."
    >
      {claimed === 'me' ? (
        <DecisionForm shown={shown} act={act} />
      ) : (
        <Button
          disabled={claimed === 'other'}
          busy={act.isPending}
          onClick={() => act.mutate(() => callApiOperation(claimCaseEndpoint, { caseId }))}
        >
          {claimed === 'other' ? 'Claimed by another' : 'Claim'}
        </Button>
      )}
      <RefusalAlert error={act.error} />
    </Panel>
  )
}

type FormProps = { shown: ModerationCase; act: ReturnType<typeof useCaseMutation> }

function DecisionForm({ shown, act }: FormProps) {
  const id = useId()
  const caseId = shown.$id
  const [decision, setDecision] = useState<ModerationDecision>()
  const [days, setDays] = useState<Days>(7)
  const [text, setText] = useState('')
  const options = optionsOf(shown)
  const chosen = options.find((option) => option.decision === decision)
  return (
    <>
      <DecisionOptions
        options={options}
        chosen={chosen}
        onChoose={(option) => setDecision(option.decision)}
      />
      {decision === 'suspend' && (
        <fieldset className="mt-2 mb-1 flex flex-wrap gap-1.5">
          <legend className="sr-only">For how long</legend>
          {lengths.map(([label, each]) => (
            <label
              key={label}
              className={cx(
                'relative inline-flex min-h-9 items-center rounded-full px-3 text-label font-[620] hit-44',
                days === each ? 'bg-brand text-on-brand' : 'inset-ring-[1.5px] inset-ring-border-control',
              )}
            >
              <input
                type="radio"
                name={`${id}-days`}
                checked={days === each}
                onChange={() => setDays(each)}
                className="sr-only"
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <ReasonField label="Reason, as she will read it" value={text} onChange={setText} />
      <DecisionButtons>
        <Button
          kind="quiet"
          onClick={() => act.mutate(() => callApiOperation(releaseCaseEndpoint, { caseId }))}
        >
          Release
        </Button>
        <Button
          kind={decision === undefined || decision === 'dismiss' ? 'primary' : 'danger'}
          disabled={!chosen || text.trim() === ''}
          busy={act.isPending}
          onClick={() =>
            decision &&
            act.mutate(() =>
              callApiOperation(decideCaseEndpoint, {
                caseId,
                decision,
                text,
                ...(decision === 'suspend' && { days }),
              }),
            )
          }
        >
          {chosen ? buttonLabel(chosen, days) : 'Decide'}
        </Button>
      </DecisionButtons>
    </>
  )
}
