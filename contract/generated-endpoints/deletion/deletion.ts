/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as deletion from '../../deletion/deletion.ts'

export const askDeletionEndpoint: OperationEndpoint<typeof deletion.askDeletionOperation> = { method: 'POST', path: '/me/deletion' }
export const checkReceiptEndpoint: OperationEndpoint<typeof deletion.checkReceiptOperation> = { method: 'POST', path: '/receipts/check' }
export const eraseNowEndpoint: OperationEndpoint<typeof deletion.eraseNowOperation> = { method: 'PUT', path: '/me/deletion' }
export const getDeletionEndpoint: OperationEndpoint<typeof deletion.getDeletionOperation> = { method: 'GET', path: '/me/deletion/state' }
export const getDeletionPlanEndpoint: OperationEndpoint<typeof deletion.getDeletionPlanOperation> = { method: 'GET', path: '/me/deletion' }
export const getReceiptKeysEndpoint: OperationEndpoint<typeof deletion.getReceiptKeysOperation> = { method: 'GET', path: '/receipts/keys' }
export const getReceiptEndpoint: OperationEndpoint<typeof deletion.getReceiptOperation> = { method: 'GET', path: '/receipts/:receiptId' }
export const keepAccountByLetterEndpoint: OperationEndpoint<typeof deletion.keepAccountByLetterOperation> = { method: 'POST', path: '/deletions/keep' }
export const keepAccountEndpoint: OperationEndpoint<typeof deletion.keepAccountOperation> = { method: 'DELETE', path: '/me/deletion' }
