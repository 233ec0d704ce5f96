/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as accountSettings from '../account-settings.ts'

export const beginAuthenticatorEndpoint: OperationEndpoint<typeof accountSettings.beginAuthenticatorOperation> = { method: 'POST', path: '/me/authenticator' }
export const cancelEmailChangeEndpoint: OperationEndpoint<typeof accountSettings.cancelEmailChangeOperation> = { method: 'DELETE', path: '/me/email' }
export const changePasswordEndpoint: OperationEndpoint<typeof accountSettings.changePasswordOperation> = { method: 'PUT', path: '/me/password' }
export const changeUsernameEndpoint: OperationEndpoint<typeof accountSettings.changeUsernameOperation> = { method: 'PATCH', path: '/me/username' }
export const chooseLanguageEndpoint: OperationEndpoint<typeof accountSettings.chooseLanguageOperation> = { method: 'PUT', path: '/me/language' }
export const closeAccountEndpoint: OperationEndpoint<typeof accountSettings.closeAccountOperation> = { method: 'POST', path: '/me/closing' }
export const disconnectIdentityEndpoint: OperationEndpoint<typeof accountSettings.disconnectIdentityOperation> = { method: 'DELETE', path: '/me/identities/:identityId' }
export const endDeviceEndpoint: OperationEndpoint<typeof accountSettings.endDeviceOperation> = { method: 'DELETE', path: '/me/devices/:deviceId' }
export const endOtherDevicesEndpoint: OperationEndpoint<typeof accountSettings.endOtherDevicesOperation> = { method: 'DELETE', path: '/me/devices' }
export const getAccountSettingsEndpoint: OperationEndpoint<typeof accountSettings.getAccountSettingsOperation> = { method: 'GET', path: '/me/settings' }
export const listDevicesEndpoint: OperationEndpoint<typeof accountSettings.listDevicesOperation> = { method: 'GET', path: '/me/devices' }
export const listSecurityEventsEndpoint: OperationEndpoint<typeof accountSettings.listSecurityEventsOperation> = { method: 'GET', path: '/me/log' }
export const proveIdentityEndpoint: OperationEndpoint<typeof accountSettings.proveIdentityOperation> = { method: 'POST', path: '/me/proof' }
export const renewRecoveryCodesEndpoint: OperationEndpoint<typeof accountSettings.renewRecoveryCodesOperation> = { method: 'PUT', path: '/me/recovery-codes' }
export const requestEmailChangeEndpoint: OperationEndpoint<typeof accountSettings.requestEmailChangeOperation> = { method: 'POST', path: '/me/email' }
export const requestEmailConfirmationEndpoint: OperationEndpoint<typeof accountSettings.requestEmailConfirmationOperation> = { method: 'POST', path: '/me/email-confirmation' }
export const turnOffTwoStepsEndpoint: OperationEndpoint<typeof accountSettings.turnOffTwoStepsOperation> = { method: 'DELETE', path: '/me/authenticator' }
export const turnOnTwoStepsEndpoint: OperationEndpoint<typeof accountSettings.turnOnTwoStepsOperation> = { method: 'PUT', path: '/me/authenticator' }
