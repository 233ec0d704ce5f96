/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as messageRequests from '../../chat/message-requests.ts'

export const acceptMessageRequestEndpoint: OperationEndpoint<typeof messageRequests.acceptMessageRequestOperation> = { method: 'POST', path: '/conversations/:conversationId/accept' }
export const countMessageRequestsEndpoint: OperationEndpoint<typeof messageRequests.countMessageRequestsOperation> = { method: 'GET', path: '/me/message-requests/count' }
export const declineMessageRequestEndpoint: OperationEndpoint<typeof messageRequests.declineMessageRequestOperation> = { method: 'POST', path: '/conversations/:conversationId/decline' }
export const listMessageRequestsEndpoint: OperationEndpoint<typeof messageRequests.listMessageRequestsOperation> = { method: 'GET', path: '/message-requests' }
