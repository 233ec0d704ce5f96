import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '#contract/chat/conversations.ts'
import { acceptMessageRequestEndpoint, declineMessageRequestEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

export type MessageRequestDecision = 'accept' | 'decline'

/** @param onDecided called before the lists reload, also if the request no longer exists */
export function useDecideMessageRequest(
  { $id: conversationId, standing, other }: Conversation,
  onDecided: (decision: MessageRequestDecision) => void,
) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: chatQueryKeys.conversations })
  return useSingleFlightMutation({
    mutationFn: (decision: MessageRequestDecision) =>
      callApiOperation(decision === 'accept' ? acceptMessageRequestEndpoint : declineMessageRequestEndpoint, {
        conversationId,
      }),
    onError: (error, decision) => {
      if (error instanceof ApiError && error.type === 'document_not_found') {
        onDecided(decision)
        void refresh()
        toast({ text: en('This request no longer exists.', 'Esta solicitud ya no existe.') })
      } else
        toast({
          title: en('Error', 'Error'),
          text: genericErrorMessage,
          kind: 'destructive',
        })
    },
    onSuccess: (conversation, decision) => {
      onDecided(decision)
      client.setQueryData(chatQueryKeys.one(conversationId), conversation)
      toast(
        decision === 'accept'
          ? {
              title: en('Accepted', 'Aceptada'),
              text:
                standing === 'asked'
                  ? en(
                      'The conversation is now in your messages.',
                      'La conversación ya está en tus mensajes.',
                    )
                  : en(`${other.name} can send you photos now.`, `${other.name} ya puede enviarte fotos.`),
            }
          : { title: en('Declined', 'Rechazada'), text: en('She isn’t notified.', 'No se le avisa.') },
      )
      return refresh()
    },
  })
}
