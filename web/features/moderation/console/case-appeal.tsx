import { useState } from 'react'
import { decideAppealEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { DecisionButtonRow, ReasonField } from '../cases/case-decision-parts.tsx'
import { CasePanel } from '../cases/case-page-parts.tsx'
import { RefusalAlert } from '../refusal-alert.tsx'
import { useCaseMutation } from './use-case-mutation.ts'

const outcomes = {
  upheld: en('The decision stands.', 'Se mantiene lo decidido.'),
  overturned: en('Overturned: the decision was reversed.', 'Anulada: la decisión se retira.'),
}

type Props = { shown: ModerationCase; review: NonNullable<ModerationCase['review']> }

export function CaseAppeal({ shown: { $id: caseId, kind, decision }, review }: Props) {
  const [text, setText] = useState('')
  const decide = (outcome: keyof typeof outcomes) =>
    callApiOperation(decideAppealEndpoint, { caseId, outcome, text })
  const act = useCaseMutation(caseId, {
    upheld: () => decide('upheld'),
    overturned: () => decide('overturned'),
  })
  const isUnanswered = text.trim() === ''
  return (
    <CasePanel title={en('Review', 'Revisión')}>
      <p className="text-meta text-text-2">
        {en('She asked for it ', 'La pidió ')}
        <RelativeTime at={review.askedAt} inSentence />
      </p>
      <p dir="auto" className="mt-1 text-pretty wrap-anywhere whitespace-pre-wrap">
        {review.text}
      </p>
      {review.outcome && (
        <p className="mt-3 font-[620]">
          {outcomes[review.outcome]}
          {review.outcome === 'overturned' &&
            decision === 'suspend' &&
            en(
              ' Groups that passed to others meanwhile may stay with them.',
              ' Los grupos que pasaron a otras entretanto pueden quedarse con ellas.',
            )}
        </p>
      )}
      {!review.outcome && !review.can.decide && (
        <p className="mt-3 text-label text-text-2">
          {en(
            'Another moderator decides it, because you decided the case.',
            'Lo decide otra moderadora, porque tú decidiste el caso.',
          )}
        </p>
      )}
      {review.can.decide && (
        <>
          <ReasonField
            label={en('Answer, as she will read it', 'Respuesta, como ella la leerá')}
            value={text}
            onChange={setText}
          />
          <DecisionButtonRow>
            <Button
              kind="quiet"
              {...act.buttonState('upheld', isUnanswered)}
              onClick={() => act.mutate('upheld')}
            >
              {en('Uphold', 'Mantener')}
            </Button>
            <Button {...act.buttonState('overturned', isUnanswered)} onClick={() => act.mutate('overturned')}>
              {en('Overturn', 'Anular')}
            </Button>
          </DecisionButtonRow>
        </>
      )}
      {kind === 'comment' && (decision === 'hide' || decision === 'suspend') && (
        <p className="mt-3 text-label text-text-2">
          {en(
            'The comment does not come back, even if you overturn the decision: only the evidence has its text.',
            'El comentario no vuelve aunque anules la decisión: su texto solo está en las pruebas.',
          )}
        </p>
      )}
      <RefusalAlert error={act.error} />
    </CasePanel>
  )
}
