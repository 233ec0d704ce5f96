import { lazy, Suspense } from 'react'
import { painted } from '#web/ui/painted.ts'
import type { ChatButtonProps } from './chat-button.tsx'

const ChatButton = lazy(async () => {
  await painted()
  return { default: (await import('./chat-button.tsx')).ChatButton }
})

/** For pages that everybody loads first: its place is kept until its code has come. */
export function ChatButtonLater(props: ChatButtonProps) {
  return (
    <Suspense fallback={<span className="size-9 flex-none" />}>
      <ChatButton {...props} />
    </Suspense>
  )
}
