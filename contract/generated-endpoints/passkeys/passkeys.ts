/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as passkeys from '../../passkeys/passkeys.ts'

export const addPasskeyEndpoint: OperationEndpoint<typeof passkeys.addPasskeyOperation> = { method: 'POST', path: '/me/passkeys' }
export const beginPasskeyEndpoint: OperationEndpoint<typeof passkeys.beginPasskeyOperation> = { method: 'POST', path: '/me/passkeys/options' }
export const beginPasskeyProofEndpoint: OperationEndpoint<typeof passkeys.beginPasskeyProofOperation> = { method: 'POST', path: '/me/passkey-options' }
export const beginPasskeySignInEndpoint: OperationEndpoint<typeof passkeys.beginPasskeySignInOperation> = { method: 'POST', path: '/sessions/passkey-options' }
export const completeSecondStepByPasskeyEndpoint: OperationEndpoint<typeof passkeys.completeSecondStepByPasskeyOperation> = { method: 'PUT', path: '/sessions/current/passkey-step' }
export const listPasskeysEndpoint: OperationEndpoint<typeof passkeys.listPasskeysOperation> = { method: 'GET', path: '/me/passkeys' }
export const listSecondStepFactorsEndpoint: OperationEndpoint<typeof passkeys.listSecondStepFactorsOperation> = { method: 'GET', path: '/sessions/current/second-step' }
export const proveIdentityByPasskeyEndpoint: OperationEndpoint<typeof passkeys.proveIdentityByPasskeyOperation> = { method: 'POST', path: '/me/passkey-proof' }
export const removePasskeyEndpoint: OperationEndpoint<typeof passkeys.removePasskeyOperation> = { method: 'DELETE', path: '/me/passkeys/:passkeyId' }
export const removePasswordEndpoint: OperationEndpoint<typeof passkeys.removePasswordOperation> = { method: 'DELETE', path: '/me/password' }
export const renamePasskeyEndpoint: OperationEndpoint<typeof passkeys.renamePasskeyOperation> = { method: 'PATCH', path: '/me/passkeys/:passkeyId' }
export const signInByPasskeyEndpoint: OperationEndpoint<typeof passkeys.signInByPasskeyOperation> = { method: 'POST', path: '/sessions/passkey' }
