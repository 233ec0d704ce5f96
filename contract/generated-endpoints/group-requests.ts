/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as groupRequests from '../group-requests.ts'

export const approveJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.approveJoinRequestOperation> = { method: 'POST', path: '/group-requests/:requestId/approve' }
export const getLatestJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.getLatestJoinRequestOperation> = { method: 'GET', path: '/groups/:groupId/requests/latest' }
export const listPendingJoinRequestsEndpoint: OperationEndpoint<typeof groupRequests.listPendingJoinRequestsOperation> = { method: 'GET', path: '/group-requests' }
export const rejectJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.rejectJoinRequestOperation> = { method: 'POST', path: '/group-requests/:requestId/reject' }
export const requestToJoinEndpoint: OperationEndpoint<typeof groupRequests.requestToJoinOperation> = { method: 'POST', path: '/groups/:groupId/requests' }
export const withdrawJoinRequestEndpoint: OperationEndpoint<typeof groupRequests.withdrawJoinRequestOperation> = { method: 'DELETE', path: '/group-requests/:requestId' }
