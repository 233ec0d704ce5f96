/** What changes a group: creating, editing, deleting; join requests and their decision; leaving, removing, handing over. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  approveJoinRequestEndpoint,
  createGroupEndpoint,
  deleteGroupEndpoint,
  getGroupEndpoint,
  handOverGroupEndpoint,
  leaveGroupEndpoint,
  rejectJoinRequestEndpoint,
  removeGroupMemberEndpoint,
  requestToJoinEndpoint,
  updateGroupEndpoint,
  withdrawJoinRequestEndpoint,
} from '#contract/generated-endpoints.ts'
import type { GroupMember } from '#contract/group-members.ts'
import type { JoinRequest } from '#contract/group-requests.ts'
import type { Group } from '#contract/groups.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { isAbortError, saveWithUpload } from '#web/forms/save-with-upload.ts'
import { useIdempotentCreate } from '#web/forms/use-idempotent-create.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import {
  invalidateGroups,
  type PaginatedQueryData,
  patchCachedGroup,
  prependGroupToPages,
  purgeGroupPostsFromCache,
  removeRowFromPages,
} from './group-cache.ts'
import { showGroupErrorToast } from './group-error-message.ts'
import type { GroupFormValues } from './group-form-schema.ts'

type Send = (file: File) => Promise<string>

export function useCreateGroup(send: Send) {
  const client = useQueryClient()
  const storedOnce = useIdempotentCreate()
  return useMutation({
    mutationFn: ({ photo, ...group }: GroupFormValues) =>
      storedOnce(group, photo, {
        store: (groupId) =>
          saveWithUpload(photo, send, (imageId) =>
            callApiOperation(createGroupEndpoint, { ...group, groupId, imageId, isPrivate: true }),
          ),
        find: (groupId) => callApiOperation(getGroupEndpoint, { groupId }),
      }),
    onError: (error) => {
      if (isAbortError(error)) return
      toast({ title: 'Error', text: 'Failed to create group. Please try again.', kind: 'destructive' })
    },
    onSuccess: (group) => {
      client.setQueryData<PaginatedQueryData<Group>>(
        groupQueryKeys.list,
        (list) => list && prependGroupToPages(list, group),
      )
      toast({ text: 'Group created successfully!' })
      void invalidateGroups(client)
    },
  })
}

export function useUpdateGroup(groupId: string, send: Send) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ photo, ...group }: GroupFormValues) =>
      saveWithUpload(photo, send, (imageId) =>
        callApiOperation(updateGroupEndpoint, {
          ...group,
          imageId: photo === null ? null : imageId,
          groupId,
        }),
      ),
    onError: (error) => {
      if (isAbortError(error)) return
      showGroupErrorToast(error, 'Failed to update group. Please try again.')
    },
    onSuccess: (group) => {
      patchCachedGroup(client, groupId, () => group)
      toast({ text: 'Group updated' })
      void invalidateGroups(client)
    },
  })
}

/** Deletes a group; `mutate` takes the name as typed, which the server compares. */
export function useDeleteGroup(groupId: string, onDeleted: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (name: string) => callApiOperation(deleteGroupEndpoint, { groupId, name }),
    onError: (error) => showGroupErrorToast(error, 'Failed to delete group. Please try again.'),
    onSuccess: () => {
      onDeleted()
      purgeGroupPostsFromCache(client, groupId)
      toast({ title: 'Group deleted', text: 'Its posts, members and requests went with it.' })
      // Not the group itself: the page that shows it is being left.
      const ofOthers = ({ queryKey }: { queryKey: readonly unknown[] }) => !queryKey.includes(groupId)
      void client.invalidateQueries({ queryKey: groupQueryKeys.all, predicate: ofOthers })
    },
  })
}

/** Requests to join a group; sends nothing while the member is not known. */
export const sendJoinRequest = async (groupId: string, userId: string) =>
  userId ? callApiOperation(requestToJoinEndpoint, { groupId, userId }) : undefined

export function useRequestToJoinGroup({ $id: groupId }: Pick<Group, '$id'>) {
  const me = useSignedInMember()
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => sendJoinRequest(groupId, me.$id),
    onError: (error) => {
      showGroupErrorToast(error, 'Failed to send request. Please try again.')
      void invalidateGroups(client)
    },
    onSuccess: (request) => {
      if (!request) return
      patchCachedGroup(client, groupId, () => ({ membership: 'pending', requestId: request.$id }))
      toast({
        title: 'Request sent!',
        text: 'Your request to join this group has been sent to the admin.',
      })
    },
  })
}

export function useWithdrawJoinRequest({ $id: groupId, requestId }: Pick<Group, '$id' | 'requestId'>) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(withdrawJoinRequestEndpoint, { requestId: requestId ?? '' }),
    onError: (error) => {
      showGroupErrorToast(error, 'Failed to withdraw your request. Please try again.')
      void invalidateGroups(client)
    },
    onSuccess: () => {
      patchCachedGroup(client, groupId, () => ({ membership: 'none', requestId: null }))
      toast({ title: 'Request withdrawn', text: 'You can ask to join again whenever you like.' })
      void invalidateGroups(client)
    },
  })
}

export type JoinRequestDecision = 'approve' | 'reject'

const decisions = {
  approve: {
    operation: approveJoinRequestEndpoint,
    done: { title: 'Request approved!', text: 'The user has been added to the group.' },
    failed: 'Failed to approve request.',
  },
  reject: {
    operation: rejectJoinRequestEndpoint,
    done: { title: 'Request rejected', text: 'The join request has been declined.' },
    failed: 'Failed to reject request.',
  },
}

export const decideJoinRequest = (decision: JoinRequestDecision, requestId: string, currentUserId: string) =>
  callApiOperation(decisions[decision].operation, { requestId, currentUserId })

/** Decides a request. Approving also reloads the members, who have changed. */
export function useDecideJoinRequest(request: Pick<JoinRequest, '$id' | 'groupId'>, onDecided: () => void) {
  const { $id: requestId, groupId } = request
  const me = useSignedInMember()
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (decision: JoinRequestDecision) => decideJoinRequest(decision, requestId, me.$id),
    onError: (error, decision) => {
      showGroupErrorToast(error, decisions[decision].failed)
      void invalidateGroups(client)
    },
    onSuccess: (_answer, decision) => {
      onDecided()
      client.setQueryData<PaginatedQueryData<JoinRequest>>(
        groupQueryKeys.requests(groupId),
        (list) => list && removeRowFromPages(list, requestId),
      )
      const joined = decision === 'approve' ? 1 : 0
      patchCachedGroup(client, groupId, ({ pendingCount, memberCount }) => ({
        pendingCount: Math.max(pendingCount - 1, 0),
        memberCount: memberCount + joined,
      }))
      toast(decisions[decision].done)
      void invalidateGroups(client)
    },
  })
}

export function useLeaveGroup({ $id: groupId, name }: Pick<Group, '$id' | 'name'>) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (posts: 'keep' | 'take') => callApiOperation(leaveGroupEndpoint, { groupId, posts }),
    onError: (error) => showGroupErrorToast(error, 'Failed to leave the group. Please try again.'),
    onSuccess: (group, posts) => {
      client.setQueryData<Group>(groupQueryKeys.one(groupId), group)
      purgeGroupPostsFromCache(client, groupId)
      // They say of themselves who sees them.
      if (posts === 'take') void client.invalidateQueries({ queryKey: postQueryKeys.all })
      toast({ title: 'You left the group', text: `You can ask to join ${name} again.` })
      void invalidateGroups(client)
    },
  })
}

export type GroupMemberAction = 'remove' | 'handOver'

const changes = {
  remove: {
    operation: removeGroupMemberEndpoint,
    title: 'Member removed',
    text: (name: string) => `${name} is no longer in the group.`,
    failed: 'Failed to remove the member. Please try again.',
  },
  handOver: {
    operation: handOverGroupEndpoint,
    title: 'Group handed over',
    text: (name: string) => `${name} is the admin now.`,
    failed: 'Failed to hand the group over. Please try again.',
  },
}

export function useGroupMemberAction(groupId: string) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: ({ change, member }: { change: GroupMemberAction; member: GroupMember }) =>
      callApiOperation(changes[change].operation, { groupId, memberId: member.userId }),
    onError: (error, { change }) => {
      showGroupErrorToast(error, changes[change].failed)
      void invalidateGroups(client)
    },
    onSuccess: async (group, { change, member }) => {
      client.setQueryData<Group>(groupQueryKeys.one(groupId), group)
      toast({ title: changes[change].title, text: changes[change].text(member.user.name) })
      await invalidateGroups(client)
    },
  })
}
