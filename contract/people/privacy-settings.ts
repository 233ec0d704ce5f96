/** A member's privacy settings. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { listAudienceSchema } from './people.ts'

/**
 * The people who can start a conversation with the member. `ask`: everyone, but strangers' messages become requests. `followed`:
 * only people whom the member follows. `nobody`: no new people. Existing conversations continue.
 */
export const allowedMessageSendersSchema = z.enum(['everyone', 'ask', 'followed', 'nobody'])

/** Quick exit by a button on every page or by pressing Shift three times. `sign-out` also ends the session. */
export const quickExitModeSchema = z.enum(['off', 'leave', 'sign-out'])

export const privacySettingsSchema = z.object({
  /** Whether followers need approval. Posts outside groups are then for followers only. */
  isPrivate: z.boolean(),
  /** Whether lists and searches include the member. */
  isListed: z.boolean(),
  /** The people who can see the member's followers and followed people. For a private account, at most followers can. */
  listsFor: listAudienceSchema,
  /** The people who can start a conversation with the member. */
  messagesFrom: allowedMessageSendersSchema,
  /** The people who may comment on the member's new posts. A post can override it. */
  commentsFrom: allowedCommentersSchema,
  /** The people who may tag the member in photos. The member must accept each tag. */
  picturedBy: allowedCommentersSchema,
  /** Whether typing indicators are shown. Both participants must allow them, and both then see them. */
  showsTyping: z.boolean(),
  /** Whether read receipts are shown, in both directions. */
  showsReceipts: z.boolean(),
  /** Whether the member's posts appear on place pages, with a day's delay. */
  onPlacePages: z.boolean(),
  quickExit: quickExitModeSchema,
  /** The number of followers, who stay when the account becomes private. */
  followerCount: z.number(),
  /** The number of waiting requests, which are approved when the account becomes public. */
  followRequestCount: z.number(),
  /** The number of followers-only posts outside groups. */
  followersOnlyPostCount: z.number(),
  /**
   * Whether making the account public needs the password, because the member has not re-authenticated recently in this
   * session.
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
 * Changes the given fields. When an account becomes private, its earlier posts become followers-only and its followers
 * stay. When it becomes public, waiting requests are approved. That change needs `earlierPosts`, and also the password
 * unless the member re-authenticated recently (`proveIdentityOperation`).
 */
export const updatePrivacySettingsOperation = defineOperation({
  name: 'updatePrivacySettings',
  method: 'PATCH',
  path: '/me/privacy',
  input: z.object({
    isPrivate: z.optional(z.boolean()),
    /** The people who can see the posts from the private time afterwards. Required to make the account public. */
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
