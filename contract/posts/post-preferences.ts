/** The member's preferences for the post form. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'

/** Changes the caller's preferences, which apply on every device. */
export const updatePostPreferencesOperation = defineOperation({
  name: 'updatePostPreferences',
  method: 'PATCH',
  path: '/me/post-preferences',
  input: z.object({
    /** Whether the form reminds the caller of missing photo descriptions. */
    altReminder: z.boolean(),
  }),
  output: z.object({ altReminder: z.boolean() }),
  limit: 'write',
})
