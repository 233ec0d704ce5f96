/** How a member is told outside of Juntas: what rings, when nothing does, and the summary by e-mail. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { emailedNotificationKinds, isOnByDefault, optionalNotificationKinds } from './notifications.ts'

/** The kinds a browser can be pushed. The safety of the account is always on. */
export const pushKinds = ['message' as const, ...optionalNotificationKinds]
export type PushKind = (typeof pushKinds)[number]
export const defaultPushKinds: readonly PushKind[] = pushKinds.filter(
  (kind) => kind === 'message' || isOnByDefault(kind, 'push'),
)

/** The kinds an email can mention; messages are never among them. */
export const summaryKinds = emailedNotificationKinds
export type SummaryKind = (typeof summaryKinds)[number]
export const defaultSummaryKinds: readonly SummaryKind[] = summaryKinds.filter((kind) =>
  isOnByDefault(kind, 'email'),
)

/** Minutes after midnight. */
const minuteOfDay = z.number().check(z.int(), z.minimum(0), z.maximum(24 * 60 - 1))

const quietHoursSchema = z
  .object({ from: minuteOfDay, to: minuteOfDay })
  .check(z.refine(({ from, to }) => from !== to, 'Quiet hours end at another time than they begin.'))

const summarySchema = z.enum(['daily', 'weekly', 'never'])

export const notificationDeliverySchema = z.object({
  push: z.array(z.enum(pushKinds)),
  mail: z.array(z.enum(summaryKinds)),
  /** Whether a push says neither who nor what. */
  hidesContents: z.boolean(),
  /** In the member's time zone, over midnight where they end earlier than they begin; null: none. */
  quietHours: z.nullable(quietHoursSchema),
  /** A name of the IANA database; null until a page told it. */
  timeZone: z.nullable(z.string()),
  /** At nine in the morning of the time zone, without which none is sent. */
  summary: summarySchema,
  /** Whether a summary can reach the member: e-mail is sent here, and the address is confirmed. */
  mailable: z.boolean(),
})

export type NotificationDelivery = z.infer<typeof notificationDeliverySchema>

export const getNotificationDeliveryOperation = defineOperation({
  name: 'getNotificationDelivery',
  method: 'GET',
  path: '/me/notification-delivery',
  input: z.object({}),
  output: notificationDeliverySchema,
  limit: 'read',
})

/** Changes what is given and leaves the rest. */
export const updateNotificationDeliveryOperation = defineOperation({
  name: 'updateNotificationDelivery',
  method: 'PATCH',
  path: '/me/notification-delivery',
  input: z.object({
    push: z.optional(z.array(z.enum(pushKinds)).check(z.maxLength(pushKinds.length))),
    mail: z.optional(z.array(z.enum(summaryKinds)).check(z.maxLength(summaryKinds.length))),
    hidesContents: z.optional(z.boolean()),
    quietHours: z.optional(z.nullable(quietHoursSchema)),
    timeZone: z.optional(z.string().check(minTextLength(1), maxTextLength(64))),
    summary: z.optional(summarySchema),
  }),
  output: notificationDeliverySchema,
  limit: 'write',
})

/**
 * Ends the summaries of whom the secret of a letter is, without a session. A mail program sends it by itself when its reader
 * presses "Unsubscribe" (RFC 8058), as a form.
 */
export const unsubscribeFromSummariesOperation = defineOperation({
  name: 'unsubscribeFromSummaries',
  method: 'POST',
  path: '/summaries/:secret/end',
  status: 204,
  who: 'visitor',
  input: z.object({ secret: z.string().check(z.regex(/^[\w.-]{1,128}$/)) }),
  output: z.void(),
  errors: ['user_invalid_token'],
  limit: 'read',
})
