/**
 * Web Push for browsers without an open page. A subscription belongs to the session that created it and ends with that
 * session. The member chooses how much a push notification shows (`notification-delivery.ts`).
 */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import type { NotificationKind } from './notifications.ts'

/**
 * The JSON payload of a push notification. The web composes the sentences.
 * - `message`: there is a new message.
 * - `news`: there is activity, and details are hidden.
 * - `digest`: there was activity during quiet hours.
 * - `farewell`: the session ended, so the browser must delete its stored data.
 * - `test`: the member requested a test.
 */
export type PushMessage = {
  kind: 'message' | 'news' | 'digest' | 'farewell' | 'test' | NotificationKind
  /** The name of the newest actor, unless the member hides names. */
  name?: string
  /** The number of further actors. */
  others?: number
  /** The target of the link. At most one of these is set. */
  conversationId?: string
  postId?: string
  groupId?: string
  /** The number for the app's badge: unseen notifications plus unread conversations. */
  badge: number
}

/**
 * Returns whether push notifications are available on this instance, and whether and at which endpoint this session
 * receives them.
 */
export const getPushSubscriptionOperation = defineOperation({
  name: 'getPushSubscription',
  method: 'GET',
  path: '/me/push',
  input: z.object({}),
  output: z.object({ available: z.boolean(), wanted: z.boolean(), endpoint: z.nullable(z.string()) }),
  limit: 'read',
})

/** Returns the instance's public VAPID key. The method is POST, because the first call creates the key. */
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

/** Subscribes this session's browser. The subscription replaces an earlier one. Idempotent. */
export const subscribePushOperation = defineOperation({
  name: 'subscribePush',
  method: 'PUT',
  path: '/me/push',
  status: 204,
  input: z.object({
    /** The URL of a known push service. */
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
 * Sends a test to this session's browser, even in quiet hours. Responds when the push service has accepted it. Deletes
 * the subscription if the service no longer knows it.
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
