import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { emailedNotificationKinds, isOnByDefault, optionalNotificationKinds } from './notifications.ts'

/** Omits account security, which members cannot switch off. */
export const pushKinds = ['message' as const, ...optionalNotificationKinds]
export type PushKind = (typeof pushKinds)[number]
export const defaultPushKinds: readonly PushKind[] = pushKinds.filter(
  (kind) => kind === 'message' || isOnByDefault(kind, 'push'),
)

/** An email digest never mentions messages. */
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
  hidesContents: z.boolean(),
  /** Quiet hours are in the member's time zone. They may last past midnight. */
  quietHours: z.nullable(quietHoursSchema),
  /** An IANA name. Null until a page has reported the time zone. */
  timeZone: z.nullable(z.string()),
  /** Digests come at nine in the morning in the member's time zone, and never without one. */
  summary: summarySchema,
  /** True if email is configured and the member's address is verified. */
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

/** Requires the key from the digest's link, but no session. Mail programs send this form (RFC 8058). */
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
