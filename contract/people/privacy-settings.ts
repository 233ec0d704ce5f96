import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { listAudienceSchema } from './people.ts'

/**
 * Limits who can start a conversation. `ask`: strangers' messages become requests. `followed`: people whom
 * the member follows.
 */
export const allowedMessageSendersSchema = z.enum(['everyone', 'ask', 'followed', 'nobody'])

/**
 * A button on every page, or pressing Shift three times, leaves the app. `sign-out` also ends the session.
 */
export const quickExitModeSchema = z.enum(['off', 'leave', 'sign-out'])

export const privacySettingsSchema = z.object({
  isPrivate: z.boolean(),
  isListed: z.boolean(),
  listsFor: listAudienceSchema,
  messagesFrom: allowedMessageSendersSchema,
  /** The default for the member's new posts. */
  commentsFrom: allowedCommentersSchema,
  /** Limits photo tags, which the member must also accept. */
  picturedBy: allowedCommentersSchema,
  /** Typing indicators are shown if both participants show them. */
  showsTyping: z.boolean(),
  /** Read receipts, in both directions. */
  showsReceipts: z.boolean(),
  /** If true, place pages show the member's posts after a day. */
  onPlacePages: z.boolean(),
  /** Whether the server asks the member about applicants who name them. Only the member sees this setting. */
  takesVouchRequests: z.boolean(),
  quickExit: quickExitModeSchema,
  followerCount: z.number(),
  /** Approved when the account becomes public. */
  followRequestCount: z.number(),
  /** Counts only posts outside groups. */
  followersOnlyPostCount: z.number(),
  /**
   * True if this session has no recent re-authentication, so making the account public needs the password.
   */
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
 * If an account becomes private, its earlier posts become followers-only. Making it public approves waiting
 * requests, and needs `earlierPosts` and the password or a recent re-authentication, and a code if two-factor
 * authentication is on.
 */
export const updatePrivacySettingsOperation = defineOperation({
  name: 'updatePrivacySettings',
  method: 'PATCH',
  path: '/me/privacy',
  input: z.object({
    isPrivate: z.optional(z.boolean()),
    /** The new audience of posts made while the account was private. Required to make the account public. */
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
    takesVouchRequests: z.optional(z.boolean()),
    quickExit: z.optional(quickExitModeSchema),
  }),
  output: privacySettingsSchema,
  errors: ['privacy_earlier_posts_required', 'user_challenge_required', 'user_invalid_credentials'],
  limit: 'privacy',
})
