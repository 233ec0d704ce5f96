import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { typingShownMs } from '#contract/realtime/realtime.ts'
import { subscribeToLiveChanges } from '#web/realtime/live-connection.ts'

type Props = {
  conversationId: string
  other: PersonSummary
  messages: readonly Message[]
  onShown: () => void
}

/** Screen readers do not announce it, because it would interrupt them every few seconds. */
export function TypingIndicator({ conversationId, other, messages, onShown }: Props) {
  const isTyping = useIsOtherTyping(conversationId, other.$id, messages)
  useLayoutEffect(() => {
    if (isTyping) onShown()
  }, [isTyping, onShown])
  if (!isTyping) return null
  return (
    <p className="mt-3 mb-0.5 ml-[38px] flex flex-none items-center gap-2.5 self-start text-meta text-text-2 motion-safe:animate-arrive md:ml-11">
      <span
        aria-hidden
        className="inline-flex gap-1 rounded-card-small rounded-bl-[6px] bg-bubble-them px-3.5 py-3 forced-colors:border"
      >
        <span className="size-[7px] rounded-full bg-text-2 opacity-85 forced-colors:bg-[CanvasText]" />
        <span className="size-[7px] rounded-full bg-text-2 opacity-55 forced-colors:bg-[CanvasText]" />
        <span className="size-[7px] rounded-full bg-text-2 opacity-30 forced-colors:bg-[CanvasText]" />
      </span>
      <span className="min-w-0 wrap-anywhere">
        {en(`${other.name} is typing…`, `${other.name} está escribiendo…`)}
      </span>
    </p>
  )
}

function useIsOtherTyping(conversationId: string, otherId: string, messages: readonly Message[]): boolean {
  const newest = messages.findLast(({ senderId }) => senderId === otherId)?.$id
  const latest = useRef(newest)
  latest.current = newest
  /** An array, because the other participant may have no message yet. A later message hides the indicator. */
  const [sign, setSign] = useState<readonly [string | undefined]>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = subscribeToLiveChanges({
      typing(typing) {
        if (typing.conversationId !== conversationId || typing.personId !== otherId) return
        setSign([latest.current])
        clearTimeout(timer)
        timer = setTimeout(() => setSign(undefined), typingShownMs)
      },
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
      setSign(undefined)
    }
  }, [conversationId, otherId])
  return sign !== undefined && sign[0] === newest
}
