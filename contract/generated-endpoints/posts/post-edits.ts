/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as postEdits from '../../posts/post-edits.ts'

export const listPostEditsEndpoint: OperationEndpoint<typeof postEdits.listPostEditsOperation> = { method: 'GET', path: '/posts/:postId/edits' }
