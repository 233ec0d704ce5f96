import { lazy, Suspense } from 'react'
import { waitForNextPaint } from '#web/ui/next-paint.ts'
import type { ChatButtonProps } from './chat-button.tsx'

const ChatButton = lazy(async () => {
  await waitForNextPaint()
  return { default: (await import('./chat-button.tsx')).ChatButton }
})

/** Renders the chat button after the first paint, from code of its own; its place is kept until then. */
export function LazyChatButton(props: ChatButtonProps) {
  return (
    <Suspense fallback={<span className="size-9 flex-none" />}>
      <ChatButton {...props} />
    </Suspense>
  )
}
