/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as audience from '../../audience/audience.ts'

export const previewAudienceEndpoint: OperationEndpoint<typeof audience.previewAudienceOperation> = { method: 'GET', path: '/audience' }
