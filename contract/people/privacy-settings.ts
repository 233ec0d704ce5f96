/** A member's privacy settings. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { listAudienceSchema } from './people.ts'

/**
 * Who can start a conversation. `ask`: everyone, but strangers' messages become requests. `followed`: only
 * members they follow. `nobody`: no new person. Existing conversations continue.
 */
export const allowedMessageSendersSchema = z.enum(['everyone', 'ask', 'followed', 'nobody'])

/** Quick exit by a button on every page or three presses of Shift; `sign-out` also ends the session. */
export const quickExitModeSchema = z.enum(['off', 'leave', 'sign-out'])

export const privacySettingsSchema = z.object({
  /** Followers need approval, and posts outside groups are for followers only. */
  isPrivate: z.boolean(),
  /** Whether lists and searches show the member. */
  isListed: z.boolean(),
  /** Who sees followers and followed; for a private account at most followers. */
  listsFor: listAudienceSchema,
  /** Who can start a conversation with the member. */
  messagesFrom: allowedMessageSendersSchema,
  /** Default for new posts; a post can override it. */
  commentsFrom: allowedCommentersSchema,
  /** Who may tag the member in photos. Each tag needs the member's acceptance. */
  picturedBy: allowedCommentersSchema,
  /** Whether both participants see typing indicators; both must allow it. */
  showsTyping: z.boolean(),
  /** Whether read receipts are shown, in both directions. */
  showsReceipts: z.boolean(),
  /** Whether the member's posts appear on place pages, a day later. */
  onPlacePages: z.boolean(),
  quickExit: quickExitModeSchema,
  /** Followers stay when the account becomes private. */
  followerCount: z.number(),
  /** Becoming public approves these requests. */
  followRequestCount: z.number(),
  /** Posts outside groups for followers only. */
  followersOnlyPostCount: z.number(),
  /** Whether becoming public needs the password, because this session has no recent re-authentication. */
  takesPassword: z.boolean(),
})

export type PrivacySettings = z.infer<typeof privacySettingsSchema>

export const getPrivacySettingsOperation = defineOperation({
  name: 'getPrivacySettings',
  method: 'GET',
  path: '/me/privacy',
  input: z.object({}),
  output: privacySettingsSchema,
  limit: 'read',
})

/**
 * Changes the given fields. Becoming private limits earlier posts to followers, who stay. Becoming public
 * approves waiting requests and needs `earlierPosts`, and the password without recent re-authentication
 * (`proveIdentityOperation`).
 */
export const updatePrivacySettingsOperation = defineOperation({
  name: 'updatePrivacySettings',
  method: 'PATCH',
  path: '/me/privacy',
  input: z.object({
    isPrivate: z.optional(z.boolean()),
    /** The new audience of posts from the private time; required to become public. */
    earlierPosts: z.optional(z.enum(['everyone', 'followers'])),
    password: z.optional(z.string().check(maxTextLength(256))),
    isListed: z.optional(z.boolean()),
    listsFor: z.optional(listAudienceSchema),
    messagesFrom: z.optional(allowedMessageSendersSchema),
    commentsFrom: z.optional(allowedCommentersSchema),
    picturedBy: z.optional(allowedCommentersSchema),
    showsTyping: z.optional(z.boolean()),
    showsReceipts: z.optional(z.boolean()),
    onPlacePages: z.optional(z.boolean()),
    quickExit: z.optional(quickExitModeSchema),
  }),
  output: privacySettingsSchema,
  errors: ['privacy_earlier_posts_required', 'user_challenge_required', 'user_invalid_credentials'],
  limit: 'privacy',
})
