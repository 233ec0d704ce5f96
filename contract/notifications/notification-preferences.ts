/** Which kinds of notifications a member wants. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { optionalNotificationKinds } from './notifications.ts'

const preferencesSchema = z.object({
  /** Kinds that the caller switched off: neither listed nor counted. */
  off: z.array(z.enum(optionalNotificationKinds)),
})

export type NotificationPreferences = z.infer<typeof preferencesSchema>

export const getNotificationPreferencesOperation = defineOperation({
  name: 'getNotificationPreferences',
  method: 'GET',
  path: '/me/notification-preferences',
  input: z.object({}),
  output: preferencesSchema,
  limit: 'read',
})

/** Switches kinds of notifications on or off; what came meanwhile shows when they are on again. */
export const updateNotificationPreferencesOperation = defineOperation({
  name: 'updateNotificationPreferences',
  method: 'PATCH',
  path: '/me/notification-preferences',
  input: z.object({
    kinds: z
      .array(z.enum(optionalNotificationKinds))
      .check(z.minLength(1), z.maxLength(optionalNotificationKinds.length)),
    enabled: z.boolean(),
  }),
  output: preferencesSchema,
  limit: 'write',
})
