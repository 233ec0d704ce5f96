/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as emailLinks from '../email-links.ts'

export const confirmEmailEndpoint: OperationEndpoint<typeof emailLinks.confirmEmailOperation> = { method: 'PUT', path: '/email-confirmation' }
export const keepTwoStepsEndpoint: OperationEndpoint<typeof emailLinks.keepTwoStepsOperation> = { method: 'PUT', path: '/two-steps' }
export const requestPasswordResetEndpoint: OperationEndpoint<typeof emailLinks.requestPasswordResetOperation> = { method: 'POST', path: '/recovery' }
export const requestSignInLinkEndpoint: OperationEndpoint<typeof emailLinks.requestSignInLinkOperation> = { method: 'POST', path: '/sign-in-link' }
export const resetPasswordEndpoint: OperationEndpoint<typeof emailLinks.resetPasswordOperation> = { method: 'PUT', path: '/recovery' }
export const signInByLinkEndpoint: OperationEndpoint<typeof emailLinks.signInByLinkOperation> = { method: 'PUT', path: '/sign-in-link' }
export const undoEmailChangeEndpoint: OperationEndpoint<typeof emailLinks.undoEmailChangeOperation> = { method: 'PUT', path: '/email-undo' }
