import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SuspensionProposal } from '#contract/admin/suspension-proposals.ts'
import {
  confirmSuspensionProposalEndpoint,
  declineSuspensionProposalEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { adminQueryKeys } from '#web/api/query-keys.ts'
import { suspensionLengthText } from '#web/features/moderation/cases/suspension-lengths.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { suspensionProposalsQuery } from './admin-queries.ts'
import { useOperatorMutation } from './use-operator-mutation.ts'

export function SuspensionProposalsSection() {
  const query = useQuery(suspensionProposalsQuery)
  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'Suspending a moderator or operator takes two people. Another moderator answers in the review queue, or another operator here.',
          'Para suspender a una moderadora u operadora hacen falta dos personas. Responde otra moderadora en Moderación, u otra operadora aquí.',
        )}
      </p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-40 rounded-card" />}
        noticeClassName="mb-3.5"
        isEmpty={({ documents }) => documents.length === 0}
        empty={
          <div className="card">
            <EmptyState title={en('No proposals waiting.', 'No hay propuestas en espera.')} />
          </div>
        }
      >
        {({ documents }) => (
          <ul
            aria-label={en('Proposed suspensions', 'Suspensiones propuestas')}
            className="card divide-y divide-border px-4 md:px-6"
          >
            {documents.map((proposal) => (
              <ProposalRow key={proposal.$id} proposal={proposal} />
            ))}
          </ul>
        )}
      </QueryView>
    </>
  )
}

const answers = {
  confirm: confirmSuspensionProposalEndpoint,
  decline: declineSuspensionProposalEndpoint,
}

function ProposalRow({ proposal }: { proposal: SuspensionProposal }) {
  const { $id: proposalId, about, by, text, days, proposedAt, can } = proposal
  const client = useQueryClient()
  const answering = useOperatorMutation({
    mutationFn: (answer: keyof typeof answers) => callApiOperation(answers[answer], { proposalId }),
    onSuccess: (_, answer) =>
      toast({
        text:
          answer === 'confirm'
            ? en('Suspended.', 'Suspendida.')
            : en('Proposal dropped.', 'Propuesta descartada.'),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: adminQueryKeys.all }),
  })
  const isBusy = (answer: keyof typeof answers) => answering.isPending && answering.variables === answer
  return (
    <li className="py-4">
      <p className="font-[640] wrap-anywhere">
        {about.name} <span className="font-normal text-text-2">@{about.username}</span>
      </p>
      <p className="text-label text-text-2 wrap-anywhere">
        {suspensionLengthText(days)} · {en('proposed by ', 'propuesta por ')}@{by.username} ·{' '}
        <RelativeTime at={proposedAt} />
      </p>
      <p dir="auto" className="mt-2 text-pretty wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-2.5">
        <Button kind="quiet" busy={isBusy('decline')} onClick={() => answering.mutate('decline')}>
          {can.confirm ? en('Decline', 'Rechazar') : en('Withdraw', 'Retirar')}
        </Button>
        {can.confirm && (
          <Button kind="danger" busy={isBusy('confirm')} onClick={() => answering.mutate('confirm')}>
            {en('Confirm suspension', 'Confirmar suspensión')}
          </Button>
        )}
      </div>
      {answering.dialog}
      <RefusalAlert error={answering.error} />
    </li>
  )
}
