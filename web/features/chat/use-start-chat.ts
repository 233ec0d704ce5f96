import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Conversation } from '#contract/chat/conversations.ts'
import { openConversationEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { type SignedInMember, signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

/** False until the signed-in member is known. */
export const canChatWith = (me: Pick<SignedInMember, '$id'> | undefined, personId: string): boolean =>
  Boolean(me?.$id) && me?.$id !== personId

export function useStartChat() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(signedInMemberQuery)
  const { mutate, isPending } = useSingleFlightMutation({
    mutationFn: (personId: string) => callApiOperation(openConversationEndpoint, { personId }),
    onSuccess: (conversation: Conversation) => {
      queryClient.setQueryData(chatQueryKeys.one(conversation.$id), conversation)
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.list })
      void navigate(screenPaths.pickedConversation(conversation.$id))
    },
    onError: () =>
      toast({
        title: en('Error', 'Error'),
        text: en(
          'Failed to start conversation. Please try again.',
          'No pudimos empezar la conversación. Inténtalo de nuevo.',
        ),
        kind: 'destructive',
      }),
  })
  return {
    starting: isPending,
    start: (personId: string) => !isPending && canChatWith(me, personId) && mutate(personId),
  }
}
