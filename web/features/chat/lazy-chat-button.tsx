import { lazyPart } from '#web/navigation/lazy-part.tsx'
import type { ChatButtonProps } from './chat-button.tsx'

const ChatButton = lazyPart(async () => (await import('./chat-button.tsx')).ChatButton)

/** Renders the chat button after the first paint, from code of its own; its place is kept until then. */
export const LazyChatButton = (props: ChatButtonProps) => (
  <ChatButton {...props} fallback={<span className="size-9 flex-none" />} />
)
