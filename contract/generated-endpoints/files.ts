/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as files from '../files.ts'

export const deleteFileEndpoint: OperationEndpoint<typeof files.deleteFileOperation> = { method: 'DELETE', path: '/files/:fileId' }
export const getFileContentEndpoint: OperationEndpoint<typeof files.getFileContentOperation> = { method: 'GET', path: '/files/:fileId/content' }
export const getFileEndpoint: OperationEndpoint<typeof files.getFileOperation> = { method: 'GET', path: '/files/:fileId' }
export const uploadChunkEndpoint: OperationEndpoint<typeof files.uploadChunkOperation> = { method: 'POST', path: '/files/:fileId/chunks' }
export const uploadFileEndpoint: OperationEndpoint<typeof files.uploadFileOperation> = { method: 'POST', path: '/files' }
