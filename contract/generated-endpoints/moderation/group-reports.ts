/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as groupReports from '../../moderation/group-reports.ts'

export const decideGroupReportEndpoint: OperationEndpoint<typeof groupReports.decideGroupReportOperation> = { method: 'POST', path: '/groups/:groupId/reports/:caseId' }
export const getGroupReportEndpoint: OperationEndpoint<typeof groupReports.getGroupReportOperation> = { method: 'GET', path: '/groups/:groupId/reports/:caseId' }
export const getGroupReportPictureEndpoint: OperationEndpoint<typeof groupReports.getGroupReportPictureOperation> = { method: 'GET', path: '/groups/:groupId/reports/:caseId/evidence/:place/picture' }
export const listGroupReportsEndpoint: OperationEndpoint<typeof groupReports.listGroupReportsOperation> = { method: 'GET', path: '/groups/:groupId/reports' }
