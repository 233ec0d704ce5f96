import { useId, useState } from 'react'
import { decideAppealEndpoint } from '#contract/generated-endpoints.ts'
import { maxModerationReasonLength } from '#contract/limits.ts'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { TextArea } from '#web/forms/text-area.tsx'
import { Button } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Panel } from './case-parts.tsx'
import { refusalText, useCaseMutation } from './case-queries.ts'

const outcomes = { upheld: 'It stays as decided.', overturned: 'Overturned: everything is as it was.' }

type Props = { shown: ModerationCase; review: NonNullable<ModerationCase['review']> }

/** Shows what whom it is about writes against the decision, and lets another moderator decide. */
export function CaseReview({ shown: { $id: caseId }, review }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const act = useCaseMutation(caseId)
  const decide = (outcome: 'upheld' | 'overturned') =>
    act.mutate(() => callApiOperation(decideAppealEndpoint, { caseId, outcome, text }))
  return (
    <Panel title="Review">
      <p className="text-meta text-text-2">
        She asked <RelativeTime at={review.askedAt} inSentence />
      </p>
      <p dir="auto" className="mt-1 text-pretty wrap-anywhere whitespace-pre-wrap">
        {review.text}
      </p>
      {review.outcome && <p className="mt-3 font-[620]">{outcomes[review.outcome]}</p>}
      {!review.outcome && !review.can.decide && (
        <p className="mt-3 text-label text-text-2">
          Another moderator decides it, because you decided the case.
        </p>
      )}
      {review.can.decide && (
        <>
          <label htmlFor={id} className="mt-3.5 block text-label font-[620]">
            Answer, as she will read it
          </label>
          <TextArea
            id={id}
            rows={3}
            maxLength={maxModerationReasonLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="mt-1.5"
          />
          <div className="mt-4 flex justify-end gap-2.5 max-md:flex-col-reverse">
            <Button kind="quiet" disabled={text.trim() === ''} onClick={() => decide('upheld')}>
              Uphold
            </Button>
            <Button disabled={text.trim() === ''} busy={act.isPending} onClick={() => decide('overturned')}>
              Overturn
            </Button>
          </div>
        </>
      )}
      {act.isError && (
        <p role="alert" lang="es" className="mt-3 text-label font-[550] text-danger">
          {refusalText(act.error)}
        </p>
      )}
    </Panel>
  )
}
