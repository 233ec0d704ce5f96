/**
 * Names and counts are current at the time of the request. They include only people whom the caller can see. A
 * notification appears within about a second.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxMarkedNotifications } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'

/**
 * To add a kind, start here: records keyed by `NotificationKind` do not compile without it.
 * - `push`: the member can switch it off. The value is the default.
 * - `email`: a digest can mention it. The value is the default.
 * - `asks`: the member must decide something.
 * - `account`: about the member's own account, so other people's activity cannot cause or displace it.
 */
const kindSettings = {
  like: { push: false, email: false },
  comment: { push: true, email: true },
  reply: { push: true, email: true },
  follow: { push: true, email: false },
  'follow-request': { push: true, email: true, asks: true },
  'follow-accepted': { push: true, email: true },
  'join-request': { push: true, email: true, asks: true },
  'join-approved': { push: true, email: true },
  'group-post': { push: false, email: true },
  'group-handover': { push: true, email: true },
  mention: { push: true, email: true },
  'message-request': { push: false, asks: true },
  'photo-tag': { push: true, email: true, asks: true },
  'guest-joined': { push: true, email: true },
  report: { push: true, email: true },
  'report-decided': { push: true, email: true },
  application: { push: true, email: true },
  'vouch-request': { push: true, email: true, asks: true },
  'new-device': { account: true },
  'two-steps-off': { account: true },
  'export-ready': { account: true },
} as const satisfies Record<
  string,
  { push: boolean; email?: boolean; asks?: true } | { account: true; push?: never }
>

type KindSettings = typeof kindSettings
type Setting = 'push' | 'email' | 'asks' | 'account'
type KindWith<Key extends Setting> = {
  [Kind in NotificationKind]: KindSettings[Kind] extends Record<Key, unknown> ? Kind : never
}[NotificationKind]

export type NotificationKind = keyof KindSettings
export const notificationKinds = Object.keys(kindSettings) as NotificationKind[]

const kindsWith = <Key extends Setting>(key: Key): KindWith<Key>[] =>
  notificationKinds.filter((kind) => key in kindSettings[kind]) as KindWith<Key>[]

export const optionalNotificationKinds = kindsWith('push')
export const emailedNotificationKinds = kindsWith('email')
export const requestNotificationKinds = kindsWith('asks')
export const accountNotificationKinds = kindsWith('account')

export const isOnByDefault = (kind: NotificationKind, way: 'push' | 'email'): boolean =>
  (kindSettings[kind] as { push?: boolean; email?: boolean })[way] === true

/** The web shows larger counts as `99+`. */
export const maxNotificationCount = 100
export const notificationPageSize = 20
/** UTF-16 units. */
export const notificationTextLength = 160

/** The number increases with each event of a member. */
const sequenceNumber = z.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

export const notificationSchema = z.object({
  $id: fields.publicIdSchema,
  kind: z.enum(notificationKinds),
  at: fields.isoTimestampSchema,
  seq: sequenceNumber,
  unread: z.boolean(),
  /** The two newest people. */
  people: z.array(personSummarySchema),
  count: z.number(),
  /** The post that was liked, commented on or tagged, contains the mention, or is a group's newest. */
  post: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      /**
       * Null for a mention by someone whom the caller does not follow, so that strangers cannot send
       * pictures.
       */
      imageUrl: z.nullable(z.string()),
      imageId: z.nullable(fields.publicIdSchema),
    }),
  ),
  /** The newest comment, shortened. Null in the same cases as `imageUrl`. */
  comment: z.nullable(z.object({ $id: fields.publicIdSchema, text: z.string() })),
  group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  /** The request stays after the decision, while the caller can read it. */
  request: z.nullable(
    z.object({ $id: fields.publicIdSchema, status: z.enum(['pending', 'accepted', 'rejected']) }),
  ),
  conversationId: z.nullable(fields.publicIdSchema),
  device: z.nullable(
    z.object({
      browser: z.nullable(z.string()),
      system: z.nullable(z.string()),
      /** ISO 3166-1 code. Null if unknown or after the session ended. */
      country: z.nullable(z.string()),
      /** Null after the session ended. */
      deviceId: z.nullable(fields.publicIdSchema),
      current: z.boolean(),
    }),
  ),
})

export type Notification = z.infer<typeof notificationSchema>

export const notificationFilterSchema = z.enum(['all', 'unread', 'requests'])
export type NotificationFilter = z.infer<typeof notificationFilterSchema>

/** Lists notifications newest first. */
export const listNotificationsOperation = defineOperation({
  name: 'listNotifications',
  method: 'GET',
  path: '/notifications',
  input: z.object({
    only: z.optional(notificationFilterSchema),
    cursor: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'This is no position.'))),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({ documents: z.array(notificationSchema), next: z.nullable(z.string()) }),
  limit: 'read',
})

const countsSchema = z.object({
  /** Unread, and newer than the last time the caller opened the list. */
  unseen: z.number(),
  unread: z.number(),
  /** The number of requests that wait for the caller's decision. */
  requests: z.number(),
})

export type NotificationCounts = z.infer<typeof countsSchema>

export const countNotificationsOperation = defineOperation({
  name: 'countNotifications',
  method: 'GET',
  path: '/notifications/counts',
  input: z.object({}),
  output: countsSchema,
  limit: 'read',
})

/** Applies to all devices. The mark never moves back. */
export const markNotificationsSeenOperation = defineOperation({
  name: 'markNotificationsSeen',
  method: 'PUT',
  path: '/notifications/seen',
  status: 204,
  input: z.object({ upTo: sequenceNumber }),
  output: z.void(),
  limit: 'write',
})

/**
 * Marks the given notifications, those of a post or group, or all, on all devices. Notifications newer than
 * `upTo` stay unread.
 */
export const markNotificationsReadOperation = defineOperation({
  name: 'markNotificationsRead',
  method: 'PUT',
  path: '/notifications/read',
  status: 204,
  input: z.object({
    upTo: sequenceNumber,
    ids: z.optional(z.array(fields.publicIdSchema).check(z.maxLength(maxMarkedNotifications))),
    postId: z.optional(fields.publicIdSchema),
    groupId: z.optional(fields.publicIdSchema),
  }),
  output: z.void(),
  limit: 'write',
})
