/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as people from '../people.ts'

export const followEndpoint: OperationEndpoint<typeof people.followOperation> = { method: 'PUT', path: '/people/:personId/follow' }
export const getInitialsEndpoint: OperationEndpoint<typeof people.getInitialsOperation> = { method: 'GET', path: '/people/avatars/initials' }
export const getPersonEndpoint: OperationEndpoint<typeof people.getPersonOperation> = { method: 'GET', path: '/people/:personId' }
export const isFollowingEndpoint: OperationEndpoint<typeof people.isFollowingOperation> = { method: 'GET', path: '/people/:personId/follow' }
export const listFollowersEndpoint: OperationEndpoint<typeof people.listFollowersOperation> = { method: 'GET', path: '/people/:personId/followers' }
export const listFollowingEndpoint: OperationEndpoint<typeof people.listFollowingOperation> = { method: 'GET', path: '/people/:personId/following' }
export const listPeopleEndpoint: OperationEndpoint<typeof people.listPeopleOperation> = { method: 'GET', path: '/people' }
export const removeFollowerEndpoint: OperationEndpoint<typeof people.removeFollowerOperation> = { method: 'DELETE', path: '/me/followers/:personId' }
export const searchPeopleEndpoint: OperationEndpoint<typeof people.searchPeopleOperation> = { method: 'GET', path: '/search/people' }
export const unfollowEndpoint: OperationEndpoint<typeof people.unfollowOperation> = { method: 'DELETE', path: '/people/:personId/follow' }
export const updateProfileEndpoint: OperationEndpoint<typeof people.updateProfileOperation> = { method: 'PATCH', path: '/people/:personId' }
