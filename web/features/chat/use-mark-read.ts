import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Message } from '#contract/chat.ts'
import { markRead } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { retryDelay, shouldRetry } from '#web/retry.ts'
import { chatKeys } from './queries.ts'

/**
 * Moves her mark to the newest message in front of her (row CMSG-18); a window behind others reads nothing.
 *
 * @param atEnd whether the newest message is in sight
 */
export function useMarkRead(
  conversationId: string,
  messages: readonly Message[],
  me: string,
  atEnd: boolean,
) {
  const queryClient = useQueryClient()
  const inFront = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const marked = useRef<string>(undefined)
  const newest = messages.findLast(({ senderId }) => senderId !== me)
  const unread = newest && !newest.readBy.includes(me) ? newest.$id : undefined

  const { mutate } = useMutation({
    mutationFn: (messageId: string) => call(markRead, { conversationId, messageId }),
    retry: shouldRetry,
    retryDelay,
    onSuccess: (conversation) => {
      queryClient.setQueryData(chatKeys.one(conversationId), conversation)
      void queryClient.invalidateQueries({ queryKey: chatKeys.list })
      void queryClient.invalidateQueries({ queryKey: chatKeys.unread })
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

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
