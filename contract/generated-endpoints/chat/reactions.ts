/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as reactions from '../../chat/reactions.ts'

export const reactEndpoint: OperationEndpoint<typeof reactions.reactOperation> = { method: 'PUT', path: '/messages/:messageId/reaction' }
export const unreactEndpoint: OperationEndpoint<typeof reactions.unreactOperation> = { method: 'DELETE', path: '/messages/:messageId/reaction' }
