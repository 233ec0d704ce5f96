/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as cases from '../../moderation/cases.ts'

export const claimCaseEndpoint: OperationEndpoint<typeof cases.claimCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/claim' }
export const decideAppealEndpoint: OperationEndpoint<typeof cases.decideAppealOperation> = { method: 'POST', path: '/moderation/cases/:caseId/review' }
export const decideCaseEndpoint: OperationEndpoint<typeof cases.decideCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/decision' }
export const enterModerationEndpoint: OperationEndpoint<typeof cases.enterModerationOperation> = { method: 'POST', path: '/moderation/entry' }
export const getCaseEndpoint: OperationEndpoint<typeof cases.getCaseOperation> = { method: 'GET', path: '/moderation/cases/:caseId' }
export const getEvidencePictureEndpoint: OperationEndpoint<typeof cases.getEvidencePictureOperation> = { method: 'GET', path: '/moderation/cases/:caseId/evidence/:place/picture' }
export const listCasesEndpoint: OperationEndpoint<typeof cases.listCasesOperation> = { method: 'GET', path: '/moderation/cases' }
export const releaseCaseEndpoint: OperationEndpoint<typeof cases.releaseCaseOperation> = { method: 'POST', path: '/moderation/cases/:caseId/release' }
