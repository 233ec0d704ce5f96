/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as posts from '../posts.ts'

export const createPostEndpoint: OperationEndpoint<typeof posts.createPostOperation> = { method: 'POST', path: '/posts' }
export const deletePostEndpoint: OperationEndpoint<typeof posts.deletePostOperation> = { method: 'DELETE', path: '/posts/:postId' }
export const explorePostsEndpoint: OperationEndpoint<typeof posts.explorePostsOperation> = { method: 'GET', path: '/explore' }
export const getHomeFeedEndpoint: OperationEndpoint<typeof posts.getHomeFeedOperation> = { method: 'GET', path: '/feed' }
export const getPostEndpoint: OperationEndpoint<typeof posts.getPostOperation> = { method: 'GET', path: '/posts/:postId' }
export const likePostEndpoint: OperationEndpoint<typeof posts.likePostOperation> = { method: 'PUT', path: '/posts/:postId/like' }
export const listLikedPostsEndpoint: OperationEndpoint<typeof posts.listLikedPostsOperation> = { method: 'GET', path: '/liked' }
export const listLikersEndpoint: OperationEndpoint<typeof posts.listLikersOperation> = { method: 'GET', path: '/posts/:postId/likers' }
export const listPersonPostsEndpoint: OperationEndpoint<typeof posts.listPersonPostsOperation> = { method: 'GET', path: '/people/:personId/posts' }
export const listSavedPostsEndpoint: OperationEndpoint<typeof posts.listSavedPostsOperation> = { method: 'GET', path: '/saved' }
export const savePostEndpoint: OperationEndpoint<typeof posts.savePostOperation> = { method: 'PUT', path: '/posts/:postId/save' }
export const searchPostsEndpoint: OperationEndpoint<typeof posts.searchPostsOperation> = { method: 'GET', path: '/search/posts' }
export const takePostAlongEndpoint: OperationEndpoint<typeof posts.takePostAlongOperation> = { method: 'POST', path: '/posts/:postId/take-along' }
export const unlikePostEndpoint: OperationEndpoint<typeof posts.unlikePostOperation> = { method: 'DELETE', path: '/posts/:postId/like' }
export const unsavePostEndpoint: OperationEndpoint<typeof posts.unsavePostOperation> = { method: 'DELETE', path: '/posts/:postId/save' }
export const updatePostEndpoint: OperationEndpoint<typeof posts.updatePostOperation> = { method: 'PATCH', path: '/posts/:postId' }
