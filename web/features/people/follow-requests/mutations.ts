import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import {
  approveFollowRequestEndpoint,
  declineFollowRequestEndpoint,
  unfollowEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { FollowRequest } from '#contract/people/follow-requests.ts'
import type { Person } from '#contract/people/people.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { followRequestQueryKeys, privacyQueryKeys } from '#web/api/query-keys.ts'
import { toastFailure } from '#web/api/toast-failure.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { patchCachedFollowState } from '#web/features/people/follow-mutations.ts'
import { refreshOwnProfile } from '#web/features/people/refresh-own-profile.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

type RequestPages = InfiniteData<{ documents: FollowRequest[]; next: string | null }>

export type FollowRequestDecision = 'approve' | 'decline'

/** Removes the row even if the request no longer exists. */
export function useDecideFollowRequest(
  { $id: requestId, person }: { $id: string; person: { name: string } },
  onDecided: () => void,
) {
  const client = useQueryClient()
  const me = useSignedInMember()
  const removeRow = () => {
    onDecided()
    client.setQueryData<RequestPages>(
      followRequestQueryKeys.list,
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            documents: page.documents.filter(({ $id }) => $id !== requestId),
          })),
        },
    )
    void client.invalidateQueries({ queryKey: followRequestQueryKeys.all })
    // The settings show the number of followers.
    void client.invalidateQueries({ queryKey: privacyQueryKeys.settings })
  }
  return useSingleFlightMutation({
    mutationFn: (decision: FollowRequestDecision) =>
      callApiOperation(decision === 'approve' ? approveFollowRequestEndpoint : declineFollowRequestEndpoint, {
        requestId,
      }),
    onError: (error) => {
      if (error instanceof ApiError && error.type === 'follow_request_not_found') {
        removeRow()
        toast({ text: en('This request no longer exists.', 'Esta solicitud ya no existe.') })
      } else toastFailure()
    },
    onSuccess: (_answer, decision) => {
      removeRow()
      if (decision === 'approve') {
        toast({
          title: en('Approved', 'Aceptada'),
          text: en(`${person.name} follows you now.`, `${person.name} ya te sigue.`),
        })
        refreshOwnProfile(client, me.$id)
      } else toast({ title: en('Declined', 'Rechazada'), text: en('She isn’t notified.', 'No se le avisa.') })
    },
  })
}

export function useWithdrawFollowRequest({ $id: personId }: Pick<Person, '$id'>, onSettled: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(unfollowEndpoint, { personId }),
    onSuccess: (state) => {
      onSettled()
      patchCachedFollowState(client, personId, state)
    },
    onError: () => {
      onSettled()
      toastFailure()
    },
  })
}
