/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as blocks from '../blocks.ts'

export const blockMemberEndpoint: OperationEndpoint<typeof blocks.blockMemberOperation> = { method: 'PUT', path: '/people/:personId/block' }
export const listBlocksEndpoint: OperationEndpoint<typeof blocks.listBlocksOperation> = { method: 'GET', path: '/me/blocks' }
export const previewBlockEndpoint: OperationEndpoint<typeof blocks.previewBlockOperation> = { method: 'GET', path: '/people/:personId/block' }
export const setBlockNewerAccountsEndpoint: OperationEndpoint<typeof blocks.setBlockNewerAccountsOperation> = { method: 'PATCH', path: '/me/blocks/:blockId' }
export const unblockMemberEndpoint: OperationEndpoint<typeof blocks.unblockMemberOperation> = { method: 'DELETE', path: '/people/:personId/block' }
