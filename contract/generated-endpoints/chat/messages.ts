/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as messages from '../../chat/messages.ts'

export const listMessagesEndpoint: OperationEndpoint<typeof messages.listMessagesOperation> = { method: 'GET', path: '/conversations/:conversationId/messages' }
export const sendMessageEndpoint: OperationEndpoint<typeof messages.sendMessageOperation> = { method: 'POST', path: '/conversations/:conversationId/messages' }
export const unsendMessageEndpoint: OperationEndpoint<typeof messages.unsendMessageOperation> = { method: 'DELETE', path: '/messages/:messageId' }
