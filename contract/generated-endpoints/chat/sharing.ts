/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as sharing from '../../chat/sharing.ts'

export const listShareTargetsEndpoint: OperationEndpoint<typeof sharing.listShareTargetsOperation> = { method: 'GET', path: '/posts/:postId/share-targets' }
