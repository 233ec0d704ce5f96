/** A subscription belongs to the session that created it and ends with it. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import type { NotificationKind } from './notifications.ts'

/**
 * The web composes the sentences.
 * - `message`: there is a new message.
 * - `news`: there is activity, and details are hidden.
 * - `digest`: there was activity during quiet hours.
 * - `farewell`: the session ended, so the browser must delete its stored data.
 * - `test`: the member requested a test.
 */
export type PushMessage = {
  kind: 'message' | 'news' | 'digest' | 'farewell' | 'test' | NotificationKind
  /** The newest actor's name, unless the member hides names. */
  name?: string
  /** Further actors. */
  others?: number
  /** The link's target. At most one of these is set. */
  conversationId?: string
  postId?: string
  groupId?: string
  /** Unseen notifications plus unread conversations. */
  badge: number
}

/** Whether this instance has push notifications, and at which endpoint this session receives them. */
export const getPushSubscriptionOperation = defineOperation({
  name: 'getPushSubscription',
  method: 'GET',
  path: '/me/push',
  input: z.object({}),
  output: z.object({ available: z.boolean(), wanted: z.boolean(), endpoint: z.nullable(z.string()) }),
  limit: 'read',
})

/** A POST, because the first call creates the key. */
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

/** Replaces this session's earlier subscription. Idempotent. */
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

/** Idempotent. */
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
 * Ignores quiet hours, and responds when the push service has accepted the test. Deletes a subscription that
 * the service no longer knows.
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
