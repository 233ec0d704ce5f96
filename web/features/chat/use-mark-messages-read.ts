import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Message } from '#contract/chat/messages.ts'
import { markConversationReadEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { calculateRetryDelayMs, shouldRetry } from '#web/api/retry.ts'
import { useIsPageVisible } from '#web/navigation/use-is-page-visible.ts'

export function useMarkMessagesRead(
  conversationId: string,
  messages: readonly Message[],
  me: string,
  atEnd: boolean,
) {
  const queryClient = useQueryClient()
  const inFront = useIsPageVisible()
  const marked = useRef<string>(undefined)
  const newest = messages.findLast(({ senderId, unsentAt }) => senderId !== me && unsentAt === null)
  const unread = newest && !newest.readBy.includes(me) ? newest.$id : undefined

  const { mutate } = useMutation({
    mutationFn: (messageId: string) =>
      callApiOperation(markConversationReadEndpoint, { conversationId, messageId }),
    retry: shouldRetry,
    retryDelay: calculateRetryDelayMs,
    onSuccess: (conversation) => {
      queryClient.setQueryData(chatQueryKeys.one(conversationId), conversation)
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.list })
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.unread })
    },
    onError: () => {
      marked.current = undefined
    },
  })

  useEffect(() => {
    if (!unread || !inFront || !atEnd || marked.current === unread) return
    marked.current = unread
    mutate(unread)
  }, [unread, inFront, atEnd, mutate])
}
