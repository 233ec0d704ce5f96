/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as mentions from '../../comments/mentions.ts'

export const mentionableEndpoint: OperationEndpoint<typeof mentions.mentionableOperation> = { method: 'GET', path: '/mentionable' }
