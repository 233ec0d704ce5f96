/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as postPreferences from '../../posts/post-preferences.ts'

export const updatePostPreferencesEndpoint: OperationEndpoint<typeof postPreferences.updatePostPreferencesOperation> = { method: 'PATCH', path: '/me/post-preferences' }
