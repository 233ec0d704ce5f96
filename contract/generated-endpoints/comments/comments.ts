/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as comments from '../../comments/comments.ts'

export const createCommentEndpoint: OperationEndpoint<typeof comments.createCommentOperation> = { method: 'POST', path: '/posts/:postId/comments' }
export const deleteCommentEndpoint: OperationEndpoint<typeof comments.deleteCommentOperation> = { method: 'DELETE', path: '/comments/:commentId' }
export const likeCommentEndpoint: OperationEndpoint<typeof comments.likeCommentOperation> = { method: 'PUT', path: '/comments/:commentId/like' }
export const listCommentsEndpoint: OperationEndpoint<typeof comments.listCommentsOperation> = { method: 'GET', path: '/posts/:postId/comments' }
export const listRepliesEndpoint: OperationEndpoint<typeof comments.listRepliesOperation> = { method: 'GET', path: '/comments/:commentId/replies' }
export const unlikeCommentEndpoint: OperationEndpoint<typeof comments.unlikeCommentOperation> = { method: 'DELETE', path: '/comments/:commentId/like' }
export const updateCommentEndpoint: OperationEndpoint<typeof comments.updateCommentOperation> = { method: 'PATCH', path: '/comments/:commentId' }
