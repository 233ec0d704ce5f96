/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as appeals from '../../moderation/appeals.ts'

export const appealDecisionEndpoint: OperationEndpoint<typeof appeals.appealDecisionOperation> = { method: 'POST', path: '/me/cases/:caseId/appeal' }
export const appealSuspensionEndpoint: OperationEndpoint<typeof appeals.appealSuspensionOperation> = { method: 'POST', path: '/appeals' }
export const listModerationNoticesEndpoint: OperationEndpoint<typeof appeals.listModerationNoticesOperation> = { method: 'GET', path: '/me/moderation-notices' }
export const readModerationNoticeEndpoint: OperationEndpoint<typeof appeals.readModerationNoticeOperation> = { method: 'POST', path: '/me/moderation-notices/:noticeId/read' }
