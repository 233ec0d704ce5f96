import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Group } from '#contract/groups.ts'
import { maxModerationReasonLength } from '#contract/limits.ts'
import {
  decideGroupReportOperation,
  type GroupReport,
  type GroupReportDecision,
} from '#contract/moderation/group-reports.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { actText } from '../console/case-labels.ts'
import { Panel, ReasonChip } from '../console/case-parts.tsx'
import { apiErrorOf, refusalText } from '../console/case-queries.ts'
import { SealedEvidence } from '../console/sealed-evidence.tsx'
import { groupReportKeys, groupReportQuery } from './group-report-queries.ts'
import { groupReportsPath } from './group-reports-path.ts'

type Props = { group: Group; caseId: string }

/** Shows one case of the group's desk: what was there, what was said of it, and what the admin can do. */
export function GroupReportView({ group, caseId }: Props) {
  const query = useQuery(groupReportQuery(group.$id, caseId))
  if (apiErrorOf(query.error)?.code === 404) return <NotFoundScreen />
  const desk = groupReportsPath(group.$id)
  return (
    <div className="mx-auto max-w-[1080px]">
      <ButtonLink to={desk} kind="ghost" className="-ml-3 pl-3">
        <ArrowLeft aria-hidden size={18} strokeWidth={2} />
        Reports
      </ButtonLink>
      <QueryView
        query={query}
        title="Report"
        skeleton={<Skeleton className="h-60 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {(shown) => (
          <>
            <div className="mx-1 mt-1 mb-4.5 flex flex-wrap items-center gap-3 md:mx-0">
              <div className="min-w-0 wrap-anywhere">
                <PageTitle title={`Post by ${shown.about.name}`} />
              </div>
              <ReasonChip severity={1} reason={shown.reason} />
            </div>
            <div className="grid items-start gap-5 two:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]">
              <div className="grid min-w-0 gap-5">
                <SealedEvidence
                  evidence={shown.evidence}
                  deletedAt={shown.deletedAt}
                  pictureUrlOf={(place) => `/v1${desk}/${caseId}/evidence/${place}/picture`}
                />
                <Notes notes={shown.notes} />
              </div>
              <div className="grid min-w-0 gap-5">
                {shown.can.decide ? <Decision group={group} shown={shown} /> : <Decided shown={shown} />}
              </div>
            </div>
          </>
        )}
      </QueryView>
    </div>
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

function Decided({ shown: { decision, text } }: { shown: GroupReport }) {
  return (
    <Panel title={`Decided: ${actText(decision ?? '')}`}>
      {text && (
        <p dir="auto" className="text-pretty wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      )}
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
  const id = useId()
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
      <fieldset>
        <legend className="sr-only">What to do</legend>
        {options.map((option) => (
          <RadioOption
            key={option.decision}
            name={`${id}-decision`}
            checked={option.decision === decision}
            onChoose={() => setDecision(option.decision)}
            label={option.label}
            text={option.text}
          />
        ))}
      </fieldset>
      {isExplained(decision) && (
        <>
          <label htmlFor={id} className="mt-3.5 block text-label font-[620]">
            Reason, as she will read it <span className="font-normal text-text-2">Optional</span>
          </label>
          <TextArea
            id={id}
            rows={3}
            maxLength={maxModerationReasonLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="mt-1.5"
          />
        </>
      )}
      {deciding.isError && (
        <p role="alert" className="mt-3 text-label font-[550] text-danger">
          {refusalText(deciding.error)}
        </p>
      )}
      <div className="mt-4 flex justify-end max-md:flex-col-reverse">
        <Button
          kind={isExplained(decision) ? 'danger' : 'primary'}
          disabled={!chosen}
          busy={deciding.isPending}
          onClick={() => chosen && deciding.mutate(chosen)}
        >
          {chosen?.label ?? 'Decide'}
        </Button>
      </div>
    </Panel>
  )
}
