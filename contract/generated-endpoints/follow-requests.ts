/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as followRequests from '../follow-requests.ts'

export const approveFollowRequestEndpoint: OperationEndpoint<typeof followRequests.approveFollowRequestOperation> = { method: 'POST', path: '/me/follow-requests/:requestId/approve' }
export const countFollowRequestsEndpoint: OperationEndpoint<typeof followRequests.countFollowRequestsOperation> = { method: 'GET', path: '/me/follow-requests/count' }
export const declineFollowRequestEndpoint: OperationEndpoint<typeof followRequests.declineFollowRequestOperation> = { method: 'POST', path: '/me/follow-requests/:requestId/decline' }
export const listFollowRequestsEndpoint: OperationEndpoint<typeof followRequests.listFollowRequestsOperation> = { method: 'GET', path: '/me/follow-requests' }
