/**
 * Notifications: what others did that concerns the caller, gathered by subject. Who and how many is read at the moment of
 * asking, so that nothing shows that the caller may not see any more. They come up to a second after what they tell of.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxMarkedNotifications } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'

/**
 * The settings of each kind of notification. A new kind begins here; the records keyed by `NotificationKind` do not compile
 * until the kind is in them.
 *
 * - `push`: the member can switch the kind off; whether browsers are pushed until the member chooses.
 * - `email`: an email can mention the kind; whether it does until the member chooses.
 * - `asks`: the kind asks for the member's decision.
 * - `account`: the kind is about the member's own account: nobody else causes it, or pushes it out of the list.
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

/** Kinds that a member can switch off, and be pushed. */
export const optionalNotificationKinds = kindsWith('push')
/** Kinds that an email can mention. */
export const emailedNotificationKinds = kindsWith('email')
export const requestNotificationKinds = kindsWith('asks')
export const accountNotificationKinds = kindsWith('account')

/** Tells whether a way of delivery is on for a kind until the member chooses. */
export const isOnByDefault = (kind: NotificationKind, way: 'push' | 'email'): boolean =>
  (kindSettings[kind] as { push?: boolean; email?: boolean })[way] === true

/** Counts stop here: more is shown as `99+`. */
export const maxNotificationCount = 100
/** Rows a page. */
export const notificationPageSize = 20
/** Characters of a comment's text in a notification; a longer text ends in an ellipsis. */
export const notificationTextLength = 160

/** A member's own number of an event: later ones are greater. */
const sequenceNumber = z.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

export const notificationSchema = z.object({
  $id: fields.publicIdSchema,
  kind: z.enum(notificationKinds),
  /** Of the newest event that the caller may see. */
  at: fields.isoTimestampSchema,
  seq: sequenceNumber,
  unread: z.boolean(),
  /** The newest two of those who did it; empty for a kind without people. */
  people: z.array(personSummarySchema),
  /** How many members did it, including the two; at most `maxNotificationCount`. */
  count: z.number(),
  /** The post that was liked or commented on, the post that mentions or tags the caller, or the newest post of a group. */
  post: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      /** Null, with its id, where somebody whom the caller does not follow mentions the caller: no picture comes unasked. */
      imageUrl: z.nullable(z.string()),
      imageId: z.nullable(fields.publicIdSchema),
    }),
  ),
  /** The newest comment: its text, shortened. Null in a mention by somebody whom the caller does not follow. */
  comment: z.nullable(z.object({ $id: fields.publicIdSchema, text: z.string() })),
  group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  /** Of `follow-request` and `join-request`: a decided one stays where the caller may still read it. */
  request: z.nullable(
    z.object({ $id: fields.publicIdSchema, status: z.enum(['pending', 'accepted', 'rejected']) }),
  ),
  conversationId: z.nullable(fields.publicIdSchema),
  device: z.nullable(
    z.object({
      browser: z.nullable(z.string()),
      system: z.nullable(z.string()),
      /** As ISO 3166-1 names it, while its session is live and where it is known. */
      country: z.nullable(z.string()),
      /** Null where it is signed in no more. */
      deviceId: z.nullable(fields.publicIdSchema),
      /** Whether it is the caller's own. */
      current: z.boolean(),
    }),
  ),
})

export type Notification = z.infer<typeof notificationSchema>

export const notificationFilterSchema = z.enum(['all', 'unread', 'requests'])
export type NotificationFilter = z.infer<typeof notificationFilterSchema>

/** Lists the caller's notifications, newest event first. The cursor is a number of the caller's own. */
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
  /** Neither seen nor read: they came after the list was opened last. */
  unseen: z.number(),
  unread: z.number(),
  /** Waiting for the caller's decision. */
  requests: z.number(),
})

export type NotificationCounts = z.infer<typeof countsSchema>

/** Counts the caller's notifications, each number up to `maxNotificationCount`. */
export const countNotificationsOperation = defineOperation({
  name: 'countNotifications',
  method: 'GET',
  path: '/notifications/counts',
  input: z.object({}),
  output: countsSchema,
  limit: 'read',
})

/** Marks everything up to a number as seen, on all devices. The mark never goes back. */
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
 * Marks notifications as read, on all devices: those named, those about a post or a group, or all without either. What came
 * after the number stays unread.
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
