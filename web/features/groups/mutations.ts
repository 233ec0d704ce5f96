import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  approveJoinRequestEndpoint,
  createGroupEndpoint,
  declineGroupEndpoint,
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
import type { GroupMember } from '#contract/groups/group-members.ts'
import type { JoinRequest } from '#contract/groups/group-requests.ts'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { getErrorMessage } from '#web/api/error-message.ts'
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
import type { GroupFormValues } from './group-form-schema.ts'

const toastError = (error: unknown, otherwise: string) =>
  toast({ title: en('Error', 'Error'), ...getErrorMessage(error, otherwise), kind: 'destructive' })

type Send = (file: File) => Promise<string>

export function useCreateGroup(send: Send, view: (group: Group) => void) {
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
      toast({
        title: en('Error', 'Error'),
        text: en(
          'Failed to create group. Please try again.',
          'No pudimos crear el grupo. Inténtalo de nuevo.',
        ),
        kind: 'destructive',
      })
    },
    onSuccess: (group) => {
      client.setQueryData<PaginatedQueryData<Group>>(
        groupQueryKeys.list,
        (list) => list && prependGroupToPages(list, group),
      )
      toast({
        text: en('Group created successfully!', '¡Grupo creado!'),
        action: { label: en('View group', 'Ver el grupo'), run: () => view(group) },
      })
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
      toastError(
        error,
        en('Failed to update group. Please try again.', 'No pudimos guardar el grupo. Inténtalo de nuevo.'),
      )
    },
    onSuccess: (group) => {
      patchCachedGroup(client, groupId, () => group)
      toast({ text: en('Group updated', 'Grupo guardado') })
      void invalidateGroups(client)
    },
  })
}

/** `mutate` takes the name as typed by the admin. The server compares it. */
export function useDeleteGroup(groupId: string, onDeleted: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (name: string) => callApiOperation(deleteGroupEndpoint, { groupId, name }),
    onError: (error) =>
      toastError(
        error,
        en('Failed to delete group. Please try again.', 'No pudimos borrar el grupo. Inténtalo de nuevo.'),
      ),
    onSuccess: () => {
      onDeleted()
      purgeGroupPostsFromCache(client, groupId)
      toast({
        title: en('Group deleted', 'Grupo borrado'),
        text: en(
          'Its posts, members and requests were deleted too.',
          'También se borraron sus publicaciones, integrantes y solicitudes.',
        ),
      })
      // The member is leaving the deleted group's page.
      const ofOthers = ({ queryKey }: { queryKey: readonly unknown[] }) => !queryKey.includes(groupId)
      void client.invalidateQueries({ queryKey: groupQueryKeys.all, predicate: ofOthers })
    },
  })
}

/** Does nothing while the signed-in member is unknown. */
export const sendJoinRequest = async (groupId: string, userId: string) =>
  userId ? callApiOperation(requestToJoinEndpoint, { groupId, userId }) : undefined

export function useRequestToJoinGroup({ $id: groupId }: Pick<Group, '$id'>) {
  const me = useSignedInMember()
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => sendJoinRequest(groupId, me.$id),
    onError: (error) => {
      toastError(
        error,
        en(
          'Failed to send request. Please try again.',
          'No pudimos enviar la solicitud. Inténtalo de nuevo.',
        ),
      )
      void invalidateGroups(client)
    },
    onSuccess: (request) => {
      if (!request) return
      patchCachedGroup(client, groupId, () => ({ membership: 'pending', requestId: request.$id }))
      toast({
        title: en('Request sent!', '¡Solicitud enviada!'),
        text: en(
          'Your request to join this group has been sent to the admin.',
          'Tu solicitud para unirte al grupo le ha llegado a la administradora.',
        ),
      })
    },
  })
}

export function useWithdrawJoinRequest({ $id: groupId, requestId }: Pick<Group, '$id' | 'requestId'>) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(withdrawJoinRequestEndpoint, { requestId: requestId ?? '' }),
    onError: (error) => {
      toastError(
        error,
        en(
          'Failed to withdraw your request. Please try again.',
          'No pudimos retirar tu solicitud. Inténtalo de nuevo.',
        ),
      )
      void invalidateGroups(client)
    },
    onSuccess: () => {
      patchCachedGroup(client, groupId, () => ({ membership: 'none', requestId: null }))
      toast({
        title: en('Request withdrawn', 'Solicitud retirada'),
        text: en('You can ask to join again whenever you like.', 'Puedes volver a pedirlo cuando quieras.'),
      })
      void invalidateGroups(client)
    },
  })
}

export type JoinRequestDecision = 'approve' | 'reject'

const decisions = {
  approve: {
    operation: approveJoinRequestEndpoint,
    done: {
      title: en('Request approved!', '¡Solicitud aceptada!'),
      text: en('The user has been added to the group.', 'Ya es integrante del grupo.'),
    },
    failed: en('Failed to approve request.', 'No pudimos aceptar la solicitud.'),
  },
  reject: {
    operation: rejectJoinRequestEndpoint,
    done: {
      title: en('Request rejected', 'Solicitud rechazada'),
      text: en('The join request has been declined.', 'La solicitud quedó rechazada.'),
    },
    failed: en('Failed to reject request.', 'No pudimos rechazar la solicitud.'),
  },
}

export const decideJoinRequest = (decision: JoinRequestDecision, requestId: string, currentUserId: string) =>
  callApiOperation(decisions[decision].operation, { requestId, currentUserId })

export function useDecideJoinRequest(request: Pick<JoinRequest, '$id' | 'groupId'>, onDecided: () => void) {
  const { $id: requestId, groupId } = request
  const me = useSignedInMember()
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (decision: JoinRequestDecision) => decideJoinRequest(decision, requestId, me.$id),
    onError: (error, decision) => {
      toastError(error, decisions[decision].failed)
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
    onError: (error) =>
      toastError(
        error,
        en(
          'Failed to leave the group. Please try again.',
          'No pudimos sacarte del grupo. Inténtalo de nuevo.',
        ),
      ),
    onSuccess: (group, posts) => {
      client.setQueryData<Group>(groupQueryKeys.one(groupId), group)
      purgeGroupPostsFromCache(client, groupId)
      // Posts contain their audience, which has changed.
      if (posts === 'take') void client.invalidateQueries({ queryKey: postQueryKeys.all })
      toast({
        title: en('You left the group', 'Saliste del grupo'),
        text: en(`You can ask to join ${name} again.`, `Puedes volver a pedir unirte a ${name}.`),
      })
      void invalidateGroups(client)
    },
  })
}

export type GroupMemberAction = 'remove' | 'handOver'

const changes = {
  remove: {
    operation: removeGroupMemberEndpoint,
    title: en('Member removed', 'Integrante fuera del grupo'),
    text: (name: string) => en(`${name} is no longer in the group.`, `${name} ya no está en el grupo.`),
    failed: en(
      'Failed to remove the member. Please try again.',
      'No pudimos sacar a esta persona. Inténtalo de nuevo.',
    ),
  },
  handOver: {
    operation: handOverGroupEndpoint,
    title: en('Group handed over', 'Grupo cedido'),
    text: (name: string) => en(`${name} is the admin now.`, `${name} es ahora la administradora.`),
    failed: en(
      'Failed to hand the group over. Please try again.',
      'No pudimos ceder el grupo. Inténtalo de nuevo.',
    ),
  },
}

export function useGroupMemberAction(groupId: string) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: ({ change, member }: { change: GroupMemberAction; member: GroupMember }) =>
      callApiOperation(changes[change].operation, { groupId, memberId: member.userId }),
    onError: (error, { change }) => {
      toastError(error, changes[change].failed)
      void invalidateGroups(client)
    },
    onSuccess: async (group, { change, member }) => {
      client.setQueryData<Group>(groupQueryKeys.one(groupId), group)
      toast({ title: changes[change].title, text: changes[change].text(member.user.name) })
      await invalidateGroups(client)
    },
  })
}

export function useDeclineGroup({ $id: groupId }: Group) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(declineGroupEndpoint, { groupId }),
    onError: (error) => {
      toastError(
        error,
        en(
          'Failed to decline the admin role. Please try again.',
          'No pudimos rechazar la administración. Inténtalo de nuevo.',
        ),
      )
    },
    onSuccess: () => {
      toast({
        title: en('Admin role declined', 'Administración rechazada'),
        text: en('You’re no longer the admin.', 'Ya no eres la administradora.'),
      })
    },
    onSettled: () => invalidateGroups(client),
  })
}
