/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as privacySettings from '../privacy-settings.ts'

export const getPrivacySettingsEndpoint: OperationEndpoint<typeof privacySettings.getPrivacySettingsOperation> = { method: 'GET', path: '/me/privacy' }
export const updatePrivacySettingsEndpoint: OperationEndpoint<typeof privacySettings.updatePrivacySettingsOperation> = { method: 'PATCH', path: '/me/privacy' }
