/** A subscription ends with the session that created it. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import type { NotificationKind } from './notifications.ts'

/**
 * The web composes the sentences from these fields.
 * - `news`: activity without details.
 * - `digest`: activity during quiet hours.
 * - `farewell`: the session ended, so the browser must delete its stored data.
 */
export type PushMessage = {
  kind: 'message' | 'news' | 'digest' | 'farewell' | 'test' | NotificationKind
  /** The name of the newest actor, unless the member hides names. */
  name?: string
  others?: number
  /** The target of the link: at most one of these ids. */
  conversationId?: string
  postId?: string
  groupId?: string
  /** Absent while the community has no name of its own. */
  community?: string
  /** The number of unseen notifications plus unread conversations. */
  badge: number
}

export const getPushSubscriptionOperation = defineOperation({
  name: 'getPushSubscription',
  method: 'GET',
  path: '/me/push',
  input: z.object({}),
  output: z.object({ available: z.boolean(), wanted: z.boolean(), endpoint: z.nullable(z.string()) }),
  limit: 'read',
})

/** The method is POST, because the first call creates the key. */
export const getVapidPublicKeyOperation = defineOperation({
  name: 'getVapidPublicKey',
  method: 'POST',
  path: '/me/push',
  input: z.object({}),
  output: z.object({
    /** The key is an uncompressed P-256 point in base64url. */
    publicKey: z.string(),
  }),
  errors: ['push_disabled'],
  limit: 'write',
})

const base64UrlSchema = z.string().check(z.regex(/^[\w-]{1,128}={0,2}$/, 'This is no base64url.'))

/** Replaces this session's earlier subscription. */
export const subscribePushOperation = defineOperation({
  name: 'subscribePush',
  method: 'PUT',
  path: '/me/push',
  status: 204,
  input: z.object({
    endpoint: z.string().check(maxTextLength(1024)),
    keys: z.object({ p256dh: base64UrlSchema, auth: base64UrlSchema }),
  }),
  output: z.void(),
  errors: ['push_host_refused', 'push_disabled'],
  limit: 'write',
})

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
 * Ignores quiet hours, and waits for the push service. Deletes a subscription that the service no longer
 * knows.
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
