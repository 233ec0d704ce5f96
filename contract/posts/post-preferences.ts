/** How the post form treats its member. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'

/** Changes how the post form treats the caller, on every device. */
export const updatePostPreferencesOperation = defineOperation({
  name: 'updatePostPreferences',
  method: 'PATCH',
  path: '/me/post-preferences',
  input: z.object({
    /** Whether it reminds of photos without a description. */
    altReminder: z.boolean(),
  }),
  output: z.object({ altReminder: z.boolean() }),
  limit: 'write',
})
