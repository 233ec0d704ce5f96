import { MessageRequestsScreen as MessageRequests } from '#web/features/chat/message-requests/message-requests-screen.tsx'
import { ChatScreen as Chat } from './chat-screen.tsx'

export const ChatScreen = () => <Chat />
export const MessageRequestsScreen = () => <MessageRequests />
