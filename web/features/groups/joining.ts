/** Asking to join a group, and taking it back (spec §4 Group join button). */

import { useQueryClient } from '@tanstack/react-query'
import type { Group } from '#contract/groups.ts'
import { requestToJoin, withdrawRequest } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { useMe } from '#web/features/account/queries.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'
import { groupsChanged, patchGroup } from './cache.ts'
import { sayRefusal } from './refusal.ts'

/** Nothing is sent while it is not known who asks (spec §5, row GRP-24). */
export const askToJoin = async (groupId: string, userId: string) =>
  userId ? call(requestToJoin, { groupId, userId }) : undefined

export function useJoin({ $id: groupId }: Pick<Group, '$id'>) {
  const me = useMe()
  const client = useQueryClient()
  return useAct({
    mutationFn: () => askToJoin(groupId, me.$id),
    onError: (error) => {
      sayRefusal(error, 'Failed to send request. Please try again.')
      void groupsChanged(client)
    },
    onSuccess: (request) => {
      if (!request) return
      patchGroup(client, groupId, () => ({ membership: 'pending', requestId: request.$id }))
      toast({
        title: 'Request sent!',
        text: 'Your request to join this group has been sent to the admin.',
      })
    },
  })
}

export function useWithdraw({ $id: groupId, requestId }: Pick<Group, '$id' | 'requestId'>) {
  const client = useQueryClient()
  return useAct({
    mutationFn: () => call(withdrawRequest, { requestId: requestId ?? '' }),
    onError: (error) => {
      sayRefusal(error, 'Failed to withdraw your request. Please try again.')
      void groupsChanged(client)
    },
    onSuccess: () => {
      patchGroup(client, groupId, () => ({ membership: 'none', requestId: null }))
      toast({ title: 'Request withdrawn', text: 'You can ask to join again whenever you like.' })
      void groupsChanged(client)
    },
  })
}
