/**
 * Web Push: how a browser is rung while no page of it is open. A browser belongs to the session that subscribed it, and is rung no
 * more once that is over. What is pushed says as little as the member wants of it (`notification-delivery.ts`).
 */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import type { NotificationKind } from './notifications.ts'

/**
 * What a browser is pushed, as JSON. Sentences are the web's own. `message`: somebody wrote. `news`: something of Juntas, not
 * said what. `digest`: what waited for the end of quiet hours. `farewell`: the session is over, and everything that the browser
 * kept is to be forgotten. `test`: the member tries whether it rings.
 */
export type PushMessage = {
  kind: 'message' | 'news' | 'digest' | 'farewell' | 'test' | NotificationKind
  /** Who did it, unless the member hides that; of several the newest. */
  name?: string
  /** How many others did something, beside the named one. */
  others?: number
  /** Where it leads to: at most one of them. */
  conversationId?: string
  postId?: string
  groupId?: string
  /** What the badge of the app shows: unseen notifications and unread conversations. */
  badge: number
}

/** Whether browsers can be rung here, whether this session's was turned on, and which address of it is known. */
export const getPushSubscriptionOperation = defineOperation({
  name: 'getPushSubscription',
  method: 'GET',
  path: '/me/push',
  input: z.object({}),
  output: z.object({ available: z.boolean(), wanted: z.boolean(), endpoint: z.nullable(z.string()) }),
  limit: 'read',
})

/** Gets the instance's public key (VAPID) that a browser subscribes with; it is made when it is first needed, hence POST. */
export const getVapidPublicKeyOperation = defineOperation({
  name: 'getVapidPublicKey',
  method: 'POST',
  path: '/me/push',
  input: z.object({}),
  output: z.object({
    /** A point of P-256, uncompressed, in base64url. */
    publicKey: z.string(),
  }),
  errors: ['push_disabled'],
  limit: 'write',
})

const base64UrlSchema = z.string().check(z.regex(/^[\w-]{1,128}={0,2}$/, 'This is no base64url.'))

/** Has this session's browser rung from now on, in place of another that it had. Again is no error. */
export const subscribePushOperation = defineOperation({
  name: 'subscribePush',
  method: 'PUT',
  path: '/me/push',
  status: 204,
  input: z.object({
    /** Of a push service that is known here. */
    endpoint: z.string().check(maxTextLength(1024)),
    keys: z.object({ p256dh: base64UrlSchema, auth: base64UrlSchema }),
  }),
  output: z.void(),
  errors: ['push_host_refused', 'push_disabled'],
  limit: 'write',
})

/** Has this session's browser rung no more. Answers alike where it was not. */
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
 * Rings this session's browser once, also in quiet hours, and answers once its push service took the message. A browser that the service
 * does not know any more is forgotten.
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
