/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as reports from '../../moderation/reports.ts'

export const createReportEndpoint: OperationEndpoint<typeof reports.createReportOperation> = { method: 'POST', path: '/reports' }
export const listMyReportsEndpoint: OperationEndpoint<typeof reports.listMyReportsOperation> = { method: 'GET', path: '/me/reports' }
