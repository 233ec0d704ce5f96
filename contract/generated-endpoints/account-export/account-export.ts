/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as accountExport from '../../account-export/account-export.ts'

export const askExportEndpoint: OperationEndpoint<typeof accountExport.askExportOperation> = { method: 'POST', path: '/me/export' }
export const discardExportEndpoint: OperationEndpoint<typeof accountExport.discardExportOperation> = { method: 'DELETE', path: '/me/export' }
export const downloadExportEndpoint: OperationEndpoint<typeof accountExport.downloadExportOperation> = { method: 'GET', path: '/me/export/:exportId/archive' }
export const getExportEndpoint: OperationEndpoint<typeof accountExport.getExportOperation> = { method: 'GET', path: '/me/export' }
export const openExportEndpoint: OperationEndpoint<typeof accountExport.openExportOperation> = { method: 'POST', path: '/me/export/key' }
