/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../operation.ts'
import type * as realtime from '../realtime.ts'

export const catchUpEndpoint: OperationEndpoint<typeof realtime.catchUpOperation> = { method: 'GET', path: '/live/changes' }
