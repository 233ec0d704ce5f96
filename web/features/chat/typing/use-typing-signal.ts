import { useCallback, useRef } from 'react'
import { typingIntervalMs } from '#contract/realtime/realtime.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { sendTypingSignal } from '#web/realtime/live-connection.ts'

/** A little longer than the server's interval: a sign that comes early is dropped, and the next would come too late. */
const signEveryMs = typingIntervalMs + 500

/** @returns tells the other that the member is writing, at most so often, where the member shows it */
export function useTypingSignal(conversationId: string): (text: string) => void {
  const { showsTyping } = useSignedInMember()
  const last = useRef<{ conversationId: string; at: number }>(undefined)
  return useCallback(
    (text) => {
      if (!showsTyping || text.trim() === '') return
      const now = Date.now()
      if (last.current?.conversationId === conversationId && now - last.current.at < signEveryMs) return
      last.current = { conversationId, at: now }
      sendTypingSignal(conversationId)
    },
    [showsTyping, conversationId],
  )
}
