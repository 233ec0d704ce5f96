/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as signUpAndSignIn from '../sign-up-and-sign-in.ts'

export const completeSecondStepEndpoint: OperationEndpoint<typeof signUpAndSignIn.completeSecondStepOperation> = { method: 'PUT', path: '/sessions/current/second-step' }
export const getCurrentMemberEndpoint: OperationEndpoint<typeof signUpAndSignIn.getCurrentMemberOperation> = { method: 'GET', path: '/me' }
export const getCurrentSessionEndpoint: OperationEndpoint<typeof signUpAndSignIn.getCurrentSessionOperation> = { method: 'GET', path: '/me/session' }
export const signInEndpoint: OperationEndpoint<typeof signUpAndSignIn.signInOperation> = { method: 'POST', path: '/sessions' }
export const signOutEndpoint: OperationEndpoint<typeof signUpAndSignIn.signOutOperation> = { method: 'DELETE', path: '/sessions/current' }
export const signUpEndpoint: OperationEndpoint<typeof signUpAndSignIn.signUpOperation> = { method: 'POST', path: '/members' }
