import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Group } from '#contract/groups.ts'
import {
  decideGroupReportOperation,
  type GroupReport,
  type GroupReportDecision,
} from '#contract/moderation/group-reports.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { DecidedPanel, DecisionButtons, DecisionOptions, ReasonField } from '../cases/case-decision-parts.tsx'
import { CasePage } from '../cases/case-page.tsx'
import { Panel, ReasonChip } from '../cases/case-parts.tsx'
import { SealedEvidence } from '../cases/sealed-evidence.tsx'
import { RefusalAlert } from '../refusal.tsx'
import { groupReportKeys, groupReportQuery } from './group-report-queries.ts'
import { groupReportsPath } from './group-reports-path.ts'

type Props = { group: Group; caseId: string }

/** Shows one case of the group's desk: what was there, what was said of it, and what the admin can do. */
export function GroupReportView({ group, caseId }: Props) {
  const desk = groupReportsPath(group.$id)
  return (
    <CasePage
      query={useQuery(groupReportQuery(group.$id, caseId))}
      title="Report"
      list={{ path: desk, label: 'Reports' }}
    >
      {(shown) => ({
        heading: `Post by ${shown.about.name}`,
        chips: <ReasonChip severity={1} reason={shown.reason} />,
        evidence: (
          <>
            <SealedEvidence
              evidence={shown.evidence}
              deletedAt={shown.deletedAt}
              pictureUrlOf={(place) => `/v1${desk}/${caseId}/evidence/${place}/picture`}
            />
            <Notes notes={shown.notes} />
          </>
        ),
        decision: shown.can.decide ? (
          <Decision group={group} shown={shown} />
        ) : (
          <DecidedPanel decided={shown} />
        ),
      })}
    </CasePage>
  )
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <Panel title="What was said" text="You don’t see who reported, and nobody is told.">
      <ul className="divide-y divide-border">
        {notes.map((note, n) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have said the same
            key={n}
            dir="auto"
            className="py-3 text-pretty wrap-anywhere whitespace-pre-wrap"
          >
            {note}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Option = { decision: GroupReportDecision; label: string; text: string; done: string }

const optionsOf = ({ about, postId, can }: GroupReport): Option[] => [
  ...(postId
    ? [
        {
          decision: 'take-out' as const,
          label: 'Take out of the group',
          text: `${about.name} keeps it; nobody else sees it.`,
          done: 'Taken out of the group',
        },
      ]
    : []),
  ...(can.removeMember
    ? [
        {
          decision: 'remove-member' as const,
          label: 'Remove member',
          text: `${about.name} leaves the group, and this post with her.`,
          done: 'Removed from the group',
        },
      ]
    : []),
  {
    decision: 'dismiss',
    label: 'Dismiss',
    text: 'The post stays. Nobody is told.',
    done: 'Dismissed',
  },
  {
    decision: 'pass-on',
    label: 'Pass on to the moderators',
    text: 'They decide, and you don’t see it any more.',
    done: 'Passed on to the moderators',
  },
]

/** A reason is asked for where the post's author can see what was done. */
const isExplained = (decision: GroupReportDecision | undefined) =>
  decision === 'take-out' || decision === 'remove-member'

function Decision({ group, shown }: { group: Group; shown: GroupReport }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [decision, setDecision] = useState<GroupReportDecision>()
  const [text, setText] = useState('')
  const options = optionsOf(shown)
  const chosen = options.find((option) => option.decision === decision)
  const deciding = useSingleFlightMutation({
    mutationFn: (option: Option) =>
      callApiOperation(decideGroupReportOperation, {
        groupId: group.$id,
        caseId: shown.$id,
        decision: option.decision,
        ...(isExplained(option.decision) && { text }),
      }),
    onSuccess: async (_, option) => {
      toast({ title: option.done })
      await navigate(groupReportsPath(group.$id), { replace: true })
      for (const queryKey of [groupReportKeys.all, groupQueryKeys.all, postQueryKeys.all])
        void client.invalidateQueries({ queryKey })
    },
    onError: () => void client.invalidateQueries({ queryKey: groupReportKeys.all }),
  })
  return (
    <Panel title="Decide" text="Takes effect at once.">
      <DecisionOptions
        options={options}
        chosen={chosen}
        onChoose={(option) => setDecision(option.decision)}
      />
      {isExplained(decision) && (
        <ReasonField label="Reason, as she will read it" optional value={text} onChange={setText} />
      )}
      <RefusalAlert error={deciding.error} />
      <DecisionButtons>
        <Button
          kind={isExplained(decision) ? 'danger' : 'primary'}
          disabled={!chosen}
          busy={deciding.isPending}
          onClick={() => chosen && deciding.mutate(chosen)}
        >
          {chosen?.label ?? 'Decide'}
        </Button>
      </DecisionButtons>
    </Panel>
  )
}
