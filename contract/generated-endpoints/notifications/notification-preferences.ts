/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as notificationPreferences from '../../notifications/notification-preferences.ts'

export const getNotificationPreferencesEndpoint: OperationEndpoint<typeof notificationPreferences.getNotificationPreferencesOperation> = { method: 'GET', path: '/me/notification-preferences' }
export const updateNotificationPreferencesEndpoint: OperationEndpoint<typeof notificationPreferences.updateNotificationPreferencesOperation> = { method: 'PATCH', path: '/me/notification-preferences' }
