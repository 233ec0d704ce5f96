/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as groups from '../groups.ts'

export const createGroupEndpoint: OperationEndpoint<typeof groups.createGroupOperation> = { method: 'POST', path: '/groups' }
export const deleteGroupEndpoint: OperationEndpoint<typeof groups.deleteGroupOperation> = { method: 'DELETE', path: '/groups/:groupId' }
export const getGroupEndpoint: OperationEndpoint<typeof groups.getGroupOperation> = { method: 'GET', path: '/groups/:groupId' }
export const listGroupPostsEndpoint: OperationEndpoint<typeof groups.listGroupPostsOperation> = { method: 'GET', path: '/groups/:groupId/posts' }
export const listGroupsEndpoint: OperationEndpoint<typeof groups.listGroupsOperation> = { method: 'GET', path: '/groups' }
export const listMyGroupsEndpoint: OperationEndpoint<typeof groups.listMyGroupsOperation> = { method: 'GET', path: '/me/groups' }
export const listMyGroupsPostsEndpoint: OperationEndpoint<typeof groups.listMyGroupsPostsOperation> = { method: 'GET', path: '/me/groups/posts' }
export const searchGroupsEndpoint: OperationEndpoint<typeof groups.searchGroupsOperation> = { method: 'GET', path: '/search/groups' }
export const updateGroupEndpoint: OperationEndpoint<typeof groups.updateGroupOperation> = { method: 'PATCH', path: '/groups/:groupId' }
