import { useCallback, useRef } from 'react'
import { typingIntervalMs } from '#contract/realtime/realtime.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { sendTypingSignal } from '#web/realtime/live-connection.ts'

/** The server drops signals that arrive within its own interval. */
const signEveryMs = typingIntervalMs + 500

/** @returns a throttled function that does nothing if the member has turned signals off */
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
