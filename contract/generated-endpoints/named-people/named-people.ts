/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as namedPeople from '../../named-people/named-people.ts'

export const acceptNamingEndpoint: OperationEndpoint<typeof namedPeople.acceptNamingOperation> = { method: 'PUT', path: '/people-named/:namingId/shown' }
export const listNameablePeopleEndpoint: OperationEndpoint<typeof namedPeople.listNameablePeopleOperation> = { method: 'GET', path: '/posts/:postId/nameable' }
export const listPhotosOfMeEndpoint: OperationEndpoint<typeof namedPeople.listPhotosOfMeOperation> = { method: 'GET', path: '/me/photos' }
export const namePersonEndpoint: OperationEndpoint<typeof namedPeople.namePersonOperation> = { method: 'POST', path: '/posts/:postId/people' }
export const showPhotoEndpoint: OperationEndpoint<typeof namedPeople.showPhotoOperation> = { method: 'DELETE', path: '/posts/:postId/photos/:imageId/withheld' }
export const unnamePersonEndpoint: OperationEndpoint<typeof namedPeople.unnamePersonOperation> = { method: 'DELETE', path: '/people-named/:namingId' }
export const withholdPhotoEndpoint: OperationEndpoint<typeof namedPeople.withholdPhotoOperation> = { method: 'PUT', path: '/posts/:postId/photos/:imageId/withheld' }
