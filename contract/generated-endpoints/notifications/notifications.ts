/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as notifications from '../../notifications/notifications.ts'

export const countNotificationsEndpoint: OperationEndpoint<typeof notifications.countNotificationsOperation> = { method: 'GET', path: '/notifications/counts' }
export const listNotificationsEndpoint: OperationEndpoint<typeof notifications.listNotificationsOperation> = { method: 'GET', path: '/notifications' }
export const markNotificationsReadEndpoint: OperationEndpoint<typeof notifications.markNotificationsReadOperation> = { method: 'PUT', path: '/notifications/read' }
export const markNotificationsSeenEndpoint: OperationEndpoint<typeof notifications.markNotificationsSeenOperation> = { method: 'PUT', path: '/notifications/seen' }
