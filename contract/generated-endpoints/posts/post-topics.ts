/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as postTopics from '../../posts/post-topics.ts'

export const listPlacePostsEndpoint: OperationEndpoint<typeof postTopics.listPlacePostsOperation> = { method: 'GET', path: '/places/posts' }
export const listSimilarPostsEndpoint: OperationEndpoint<typeof postTopics.listSimilarPostsOperation> = { method: 'GET', path: '/posts/:postId/similar' }
export const listTagPostsEndpoint: OperationEndpoint<typeof postTopics.listTagPostsOperation> = { method: 'GET', path: '/tags/:tag/posts' }
export const suggestPlacesEndpoint: OperationEndpoint<typeof postTopics.suggestPlacesOperation> = { method: 'GET', path: '/places' }
