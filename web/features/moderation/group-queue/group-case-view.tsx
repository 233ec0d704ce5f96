import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import {
  decideGroupCaseOperation,
  type GroupCase,
  type GroupCaseDecision,
} from '#contract/moderation/group-cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import {
  DecidedPanel,
  DecisionButtonRow,
  DecisionOptions,
  ReasonField,
} from '../cases/case-decision-parts.tsx'
import { CaseLayout } from '../cases/case-layout.tsx'
import { CasePanel, ReasonChip } from '../cases/case-page-parts.tsx'
import { EvidenceSnapshots } from '../cases/evidence-snapshots.tsx'
import { RefusalAlert } from '../refusal-alert.tsx'
import { groupCaseKeys, groupCaseQuery } from './group-case-queries.ts'
import { groupCasesPath } from './group-cases-path.ts'

type Props = { group: Group; caseId: string }

export function GroupCaseView({ group, caseId }: Props) {
  const casesPath = groupCasesPath(group.$id)
  return (
    <CaseLayout
      query={useQuery(groupCaseQuery(group.$id, caseId))}
      title={en('Report', 'Denunciar')}
      list={{ path: casesPath, label: en('Reports', 'Denuncias') }}
    >
      {(shown) => ({
        heading: en(`Post by ${shown.about.name}`, `Publicación de ${shown.about.name}`),
        chips: <ReasonChip severity={1} reason={shown.reason} />,
        evidence: (
          <>
            <EvidenceSnapshots
              evidence={shown.evidence}
              deletedAt={shown.deletedAt}
              pictureUrlOf={(place) => `/v1${casesPath}/${caseId}/evidence/${place}/picture`}
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
    </CaseLayout>
  )
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <CasePanel
      title={en('What was said', 'Qué se dijo')}
      text={en(
        'You don’t see who reported, and nobody is notified.',
        'No ves quién denunció, y no se avisa a nadie.',
      )}
    >
      <ul className="divide-y divide-border">
        {notes.map((note, n) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two notes may have the same text
            key={n}
            dir="auto"
            className="py-3 text-pretty wrap-anywhere whitespace-pre-wrap"
          >
            {note}
          </li>
        ))}
      </ul>
    </CasePanel>
  )
}

type Option = { decision: GroupCaseDecision; label: string; text: string; done: string }

const optionsOf = ({ about, postId, can }: GroupCase): Option[] => [
  ...(postId
    ? [
        {
          decision: 'take-out' as const,
          label: en('Remove from the group', 'Sacar del grupo'),
          text: en(
            `${about.name} keeps it; nobody else sees it.`,
            `${about.name} la conserva; nadie más la ve.`,
          ),
          done: en('Removed from the group', 'Sacada del grupo'),
        },
      ]
    : []),
  ...(can.removeMember
    ? [
        {
          decision: 'remove-member' as const,
          label: en('Remove member', 'Sacar a la integrante'),
          text: en(
            `${about.name} leaves the group, and this post with her.`,
            `${about.name} sale del grupo, y esta publicación con ella.`,
          ),
          done: en('Member removed from the group', 'Integrante sacada del grupo'),
        },
      ]
    : []),
  {
    decision: 'dismiss',
    label: en('Dismiss', 'Archivar'),
    text: en('The post stays. Nobody is notified.', 'La publicación se queda. No se avisa a nadie.'),
    done: en('Dismissed', 'Archivado'),
  },
  {
    decision: 'pass-on',
    label: en('Pass on to the moderators', 'Pasarlo a las moderadoras'),
    text: en('They decide, and you no longer see it.', 'Deciden ellas, y tú dejas de verlo.'),
    done: en('Passed on to the moderators', 'Pasado a las moderadoras'),
  },
]

/** These decisions need a reason, because the content's author sees them. */
const isExplained = (decision: GroupCaseDecision | undefined) =>
  decision === 'take-out' || decision === 'remove-member'

function Decision({ group, shown }: { group: Group; shown: GroupCase }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [decision, setDecision] = useState<GroupCaseDecision>()
  const [text, setText] = useState('')
  const options = optionsOf(shown)
  const chosen = options.find((option) => option.decision === decision)
  const deciding = useSingleFlightMutation({
    mutationFn: (option: Option) =>
      callApiOperation(decideGroupCaseOperation, {
        groupId: group.$id,
        caseId: shown.$id,
        decision: option.decision,
        ...(isExplained(option.decision) && { text }),
      }),
    onSuccess: async (_, option) => {
      toast({ title: option.done })
      await navigate(groupCasesPath(group.$id), { replace: true })
      for (const queryKey of [groupCaseKeys.all, groupQueryKeys.all, postQueryKeys.all])
        void client.invalidateQueries({ queryKey })
    },
    onError: () => void client.invalidateQueries({ queryKey: groupCaseKeys.all }),
  })
  return (
    <CasePanel title={en('Decide', 'Decidir')} text={en('Takes effect at once.', 'Se aplica al momento.')}>
      <DecisionOptions
        options={options}
        chosen={chosen}
        onChoose={(option) => setDecision(option.decision)}
      />
      {isExplained(decision) && (
        <ReasonField
          label={en('Reason, as she will read it', 'Motivo, como ella lo leerá')}
          optional
          value={text}
          onChange={setText}
        />
      )}
      <RefusalAlert error={deciding.error} />
      <DecisionButtonRow>
        <Button
          kind={isExplained(decision) ? 'danger' : 'primary'}
          disabled={!chosen}
          busy={deciding.isPending}
          onClick={() => chosen && deciding.mutate(chosen)}
        >
          {chosen?.label ?? en('Decide', 'Decidir')}
        </Button>
      </DecisionButtonRow>
    </CasePanel>
  )
}
