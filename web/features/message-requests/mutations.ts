/** Answers to message requests. */

import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '#contract/chat/conversations.ts'
import { acceptMessageRequestEndpoint, declineMessageRequestEndpoint } from '#contract/generated-endpoints.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

export type MessageRequestDecision = 'accept' | 'decline'

/**
 * Accepts or declines. Its row disappears when the lists were loaded again.
 * @param onDecided called before that, also where the request is gone already
 */
export function useDecideMessageRequest(
  { $id: conversationId }: Pick<Conversation, '$id'>,
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
        toast({ text: 'This request is no longer there.' })
      } else toast({ title: 'Error', text: 'Something went wrong. Please try again.', kind: 'destructive' })
    },
    onSuccess: (conversation, decision) => {
      onDecided(decision)
      client.setQueryData(chatQueryKeys.one(conversationId), conversation)
      toast(
        decision === 'accept'
          ? { title: 'Accepted', text: 'The conversation is among your messages.' }
          : { title: 'Declined', text: 'She isn’t told.' },
      )
      // The buttons stay busy until the row is gone.
      return refresh()
    },
  })
}
