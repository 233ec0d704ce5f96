/** The admin's answer to a request (spec §4 Group request). Each request is decided by its own id (conflict C-38). */

import { useQueryClient } from '@tanstack/react-query'
import type { GroupRequest } from '#contract/group-requests.ts'
import { approveRequest, rejectRequest } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { useMe } from '#web/features/account/queries.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'
import { groupKeys, groupsChanged, type Pages, patchGroup, withoutRow } from './cache.ts'
import { sayRefusal } from './refusal.ts'

export type Decision = 'approve' | 'reject'

const decisions = {
  approve: {
    operation: approveRequest,
    done: { title: 'Request approved!', text: 'The user has been added to the group.' },
    failed: 'Failed to approve request.',
  },
  reject: {
    operation: rejectRequest,
    done: { title: 'Request rejected', text: 'The join request has been declined.' },
    failed: 'Failed to reject request.',
  },
}

export const decide = (decision: Decision, requestId: string, currentUserId: string) =>
  call(decisions[decision].operation, { requestId, currentUserId })

/** Approving also asks for the members again (row GREQ-17): they are among what has changed. */
export function useDecision(request: Pick<GroupRequest, '$id' | 'groupId'>, onDecided: () => void) {
  const { $id: requestId, groupId } = request
  const me = useMe()
  const client = useQueryClient()
  return useAct({
    mutationFn: (decision: Decision) => decide(decision, requestId, me.$id),
    onError: (error, decision) => {
      sayRefusal(error, decisions[decision].failed)
      void groupsChanged(client)
    },
    onSuccess: (_answer, decision) => {
      onDecided()
      client.setQueryData<Pages<GroupRequest>>(
        groupKeys.requests(groupId),
        (list) => list && withoutRow(list, requestId),
      )
      const joined = decision === 'approve' ? 1 : 0
      patchGroup(client, groupId, ({ pendingCount, memberCount }) => ({
        pendingCount: Math.max(pendingCount - 1, 0),
        memberCount: memberCount + joined,
      }))
      toast(decisions[decision].done)
      void groupsChanged(client)
    },
  })
}
