/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as notificationDelivery from '../../notifications/notification-delivery.ts'

export const endSummariesEndpoint: OperationEndpoint<typeof notificationDelivery.endSummariesOperation> = { method: 'POST', path: '/summaries/:secret/end' }
export const getNotificationDeliveryEndpoint: OperationEndpoint<typeof notificationDelivery.getNotificationDeliveryOperation> = { method: 'GET', path: '/me/notification-delivery' }
export const updateNotificationDeliveryEndpoint: OperationEndpoint<typeof notificationDelivery.updateNotificationDeliveryOperation> = { method: 'PATCH', path: '/me/notification-delivery' }
