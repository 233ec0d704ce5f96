/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as groupMembers from '../group-members.ts'

export const getGroupMembershipEndpoint: OperationEndpoint<typeof groupMembers.getGroupMembershipOperation> = { method: 'GET', path: '/groups/:groupId/membership' }
export const handOverGroupEndpoint: OperationEndpoint<typeof groupMembers.handOverGroupOperation> = { method: 'PUT', path: '/groups/:groupId/admin' }
export const leaveGroupEndpoint: OperationEndpoint<typeof groupMembers.leaveGroupOperation> = { method: 'DELETE', path: '/groups/:groupId/membership' }
export const listGroupMembersEndpoint: OperationEndpoint<typeof groupMembers.listGroupMembersOperation> = { method: 'GET', path: '/groups/:groupId/members' }
export const removeGroupMemberEndpoint: OperationEndpoint<typeof groupMembers.removeGroupMemberOperation> = { method: 'DELETE', path: '/groups/:groupId/members/:memberId' }
export const takeGroupPostsAlongEndpoint: OperationEndpoint<typeof groupMembers.takeGroupPostsAlongOperation> = { method: 'POST', path: '/groups/:groupId/take-along' }
