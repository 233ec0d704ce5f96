/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as mutesAndRestrictions from '../mutes-and-restrictions.ts'

export const getMuteEndpoint: OperationEndpoint<typeof mutesAndRestrictions.getMuteOperation> = { method: 'GET', path: '/people/:personId/mute' }
export const getRestrictionEndpoint: OperationEndpoint<typeof mutesAndRestrictions.getRestrictionOperation> = { method: 'GET', path: '/people/:personId/restriction' }
export const listMutedMembersEndpoint: OperationEndpoint<typeof mutesAndRestrictions.listMutedMembersOperation> = { method: 'GET', path: '/me/mutes' }
export const listRestrictedMembersEndpoint: OperationEndpoint<typeof mutesAndRestrictions.listRestrictedMembersOperation> = { method: 'GET', path: '/me/restrictions' }
export const muteMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.muteMemberOperation> = { method: 'PUT', path: '/people/:personId/mute' }
export const restrictMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.restrictMemberOperation> = { method: 'PUT', path: '/people/:personId/restriction' }
export const unmuteMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.unmuteMemberOperation> = { method: 'DELETE', path: '/people/:personId/mute' }
export const unrestrictMemberEndpoint: OperationEndpoint<typeof mutesAndRestrictions.unrestrictMemberOperation> = { method: 'DELETE', path: '/people/:personId/restriction' }
