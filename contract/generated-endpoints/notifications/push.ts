/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as push from '../../notifications/push.ts'

export const beginPushEndpoint: OperationEndpoint<typeof push.beginPushOperation> = { method: 'POST', path: '/me/push' }
export const getPushEndpoint: OperationEndpoint<typeof push.getPushOperation> = { method: 'GET', path: '/me/push' }
export const subscribePushEndpoint: OperationEndpoint<typeof push.subscribePushOperation> = { method: 'PUT', path: '/me/push' }
export const unsubscribePushEndpoint: OperationEndpoint<typeof push.unsubscribePushOperation> = { method: 'DELETE', path: '/me/push' }
