/**
 * Web Push for browsers without an open page. A subscription belongs to the session that created it and ends
 * with it. The member chooses how much a push reveals (`notification-delivery.ts`).
 */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import type { NotificationKind } from './notifications.ts'

/**
 * The JSON payload of a push; the web supplies the sentences.
 * - `message`: a new message.
 * - `news`: activity without details.
 * - `digest`: activity held back during quiet hours.
 * - `farewell`: the session ended; the browser must delete its stored data.
 * - `test`: the member's test.
 */
export type PushMessage = {
  kind: 'message' | 'news' | 'digest' | 'farewell' | 'test' | NotificationKind
  /** The newest actor, unless the member hides names. */
  name?: string
  /** Further actors. */
  others?: number
  /** The link's target: at most one. */
  conversationId?: string
  postId?: string
  groupId?: string
  /** For the app's badge: unseen notifications and unread conversations. */
  badge: number
}

/** Whether pushes are available here, whether this session receives them, and at which endpoint. */
export const getPushSubscriptionOperation = defineOperation({
  name: 'getPushSubscription',
  method: 'GET',
  path: '/me/push',
  input: z.object({}),
  output: z.object({ available: z.boolean(), wanted: z.boolean(), endpoint: z.nullable(z.string()) }),
  limit: 'read',
})

/** Returns the instance's public VAPID key. It is created on first use, hence POST. */
export const getVapidPublicKeyOperation = defineOperation({
  name: 'getVapidPublicKey',
  method: 'POST',
  path: '/me/push',
  input: z.object({}),
  output: z.object({
    /** An uncompressed P-256 point in base64url. */
    publicKey: z.string(),
  }),
  errors: ['push_disabled'],
  limit: 'write',
})

const base64UrlSchema = z.string().check(z.regex(/^[\w-]{1,128}={0,2}$/, 'This is no base64url.'))

/** Subscribes this session's browser, replacing an earlier subscription. Idempotent. */
export const subscribePushOperation = defineOperation({
  name: 'subscribePush',
  method: 'PUT',
  path: '/me/push',
  status: 204,
  input: z.object({
    /** Must belong to a known push service. */
    endpoint: z.string().check(maxTextLength(1024)),
    keys: z.object({ p256dh: base64UrlSchema, auth: base64UrlSchema }),
  }),
  output: z.void(),
  errors: ['push_host_refused', 'push_disabled'],
  limit: 'write',
})

/** Unsubscribes this session's browser. Idempotent. */
export const unsubscribePushOperation = defineOperation({
  name: 'unsubscribePush',
  method: 'DELETE',
  path: '/me/push',
  status: 204,
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})

/**
 * Pushes a test to this session's browser, even in quiet hours, and answers once the push service accepted
 * it. Deletes a subscription that the service no longer knows.
 */
export const sendTestPushOperation = defineOperation({
  name: 'sendTestPush',
  method: 'POST',
  path: '/me/push/test',
  status: 204,
  input: z.object({}),
  output: z.void(),
  errors: ['push_browser_not_found', 'push_not_taken', 'push_disabled'],
  limit: 'push-test',
})
