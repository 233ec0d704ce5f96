import { lazyPart } from '#web/navigation/lazy-part.tsx'
import type { ChatButtonProps } from './chat-button.tsx'

const ChatButton = lazyPart(async () => (await import('./chat-button.tsx')).ChatButton)

export const LazyChatButton = (props: ChatButtonProps) => (
  <ChatButton {...props} fallback={<span className="size-9 flex-none" />} />
)
