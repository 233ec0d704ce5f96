/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as conversations from '../../chat/conversations.ts'

export const countUnreadConversationsEndpoint: OperationEndpoint<typeof conversations.countUnreadConversationsOperation> = { method: 'GET', path: '/me/unread-conversations' }
export const getConversationEndpoint: OperationEndpoint<typeof conversations.getConversationOperation> = { method: 'GET', path: '/conversations/:conversationId' }
export const listConversationsEndpoint: OperationEndpoint<typeof conversations.listConversationsOperation> = { method: 'GET', path: '/conversations' }
export const markConversationReadEndpoint: OperationEndpoint<typeof conversations.markConversationReadOperation> = { method: 'PUT', path: '/conversations/:conversationId/read' }
export const openConversationEndpoint: OperationEndpoint<typeof conversations.openConversationOperation> = { method: 'POST', path: '/conversations' }
