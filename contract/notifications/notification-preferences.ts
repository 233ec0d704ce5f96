import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { optionalNotificationKinds } from './notifications.ts'

const preferencesSchema = z.object({
  /** Kinds that are neither listed nor counted. */
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

/** A kind that is switched on again also shows its notifications from before. */
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
