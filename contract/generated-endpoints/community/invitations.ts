/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as invitations from '../../community/invitations.ts'

export const createInvitationEndpoint: OperationEndpoint<typeof invitations.createInvitationOperation> = { method: 'POST', path: '/me/invitations' }
export const endInvitationEndpoint: OperationEndpoint<typeof invitations.endInvitationOperation> = { method: 'DELETE', path: '/me/invitations/:invitationId' }
export const getInvitationEndpoint: OperationEndpoint<typeof invitations.getInvitationOperation> = { method: 'GET', path: '/invitations/:code' }
export const listInvitationsEndpoint: OperationEndpoint<typeof invitations.listInvitationsOperation> = { method: 'GET', path: '/me/invitations' }
