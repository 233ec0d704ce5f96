import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { listAudienceSchema } from './people.ts'

/**
 * The people who can start a conversation with the member. `ask`: strangers' messages become requests.
 * `followed`: people whom the member follows. Existing conversations continue.
 */
export const allowedMessageSendersSchema = z.enum(['everyone', 'ask', 'followed', 'nobody'])

/**
 * Quick exit by a button on every page or by pressing Shift three times. `sign-out` also ends the session.
 */
export const quickExitModeSchema = z.enum(['off', 'leave', 'sign-out'])

export const privacySettingsSchema = z.object({
  /** Followers need approval, and posts outside groups are for followers only. */
  isPrivate: z.boolean(),
  /** Whether lists and searches include the member. */
  isListed: z.boolean(),
  /** Followers and followed people. For a private account, at most followers can see them. */
  listsFor: listAudienceSchema,
  messagesFrom: allowedMessageSendersSchema,
  /** The default for new posts. */
  commentsFrom: allowedCommentersSchema,
  /** Limits photo tags, each of which the member must also accept. */
  picturedBy: allowedCommentersSchema,
  /** Both participants must allow typing indicators, and both then see them. */
  showsTyping: z.boolean(),
  /** Read receipts, in both directions. */
  showsReceipts: z.boolean(),
  /** Whether place pages show the member's posts, with a day's delay. */
  onPlacePages: z.boolean(),
  quickExit: quickExitModeSchema,
  followerCount: z.number(),
  /** Making the account public approves these. */
  followRequestCount: z.number(),
  /** Outside groups. */
  followersOnlyPostCount: z.number(),
  /**
   * Whether making the account public needs the password, because this session has no recent
   * re-authentication.
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
 * Making the account private makes earlier posts followers-only. Making it public approves waiting requests,
 * and needs `earlierPosts` and the password or a recent re-authentication (`proveIdentityOperation`).
 */
export const updatePrivacySettingsOperation = defineOperation({
  name: 'updatePrivacySettings',
  method: 'PATCH',
  path: '/me/privacy',
  input: z.object({
    isPrivate: z.optional(z.boolean()),
    /** Audience of the posts from the private time. Required to make the account public. */
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
