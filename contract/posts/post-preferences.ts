import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'

export const updatePostPreferencesOperation = defineOperation({
  name: 'updatePostPreferences',
  method: 'PATCH',
  path: '/me/post-preferences',
  input: z.object({
    /** Whether the app reminds the caller of missing photo descriptions. */
    altReminder: z.boolean(),
  }),
  output: z.object({ altReminder: z.boolean() }),
  limit: 'write',
})
