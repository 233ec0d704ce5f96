/** Privacy: who sees a member's posts, followers and name, as that member chose. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { listAudienceSchema } from './people.ts'

/**
 * Who may begin to write to a member: `ask` lets everyone, and makes message requests of those whom the member does not follow;
 * `followed` those alone; `nobody` no new person. Who has written before goes on.
 */
export const allowedMessageSendersSchema = z.enum(['everyone', 'ask', 'followed', 'nobody'])

/**
 * Whether the web has a button on every page, and the Shift key pressed three times, by which a member is gone at once: `sign-out` ends
 * the session too.
 */
export const quickExitModeSchema = z.enum(['off', 'leave', 'sign-out'])

export const privacySettingsSchema = z.object({
  /** Others ask to follow, and posts outside groups are for followers alone. */
  isPrivate: z.boolean(),
  /** Whether lists of members and searches name the member. */
  isListed: z.boolean(),
  /** Who sees whom the member follows and is followed by; of a private account never more than followers, whatever is chosen. */
  listsFor: listAudienceSchema,
  /** Who may begin to write to the member. */
  messagesFrom: allowedMessageSendersSchema,
  /** Who may comment on new posts of the member, unless a post says otherwise. */
  commentsFrom: allowedCommentersSchema,
  /** Who may name the member in photos: everyone, whom the member follows, or nobody. The member is asked each time. */
  picturedBy: allowedCommentersSchema,
  /** Whether those to whom the member writes see that a message is being written, if they show it too. */
  showsTyping: z.boolean(),
  /** Whether others see what the member has read; off, the member does not see what they have read either. */
  showsReceipts: z.boolean(),
  /** Whether posts of the member are on the pages of their places, a day later. */
  onPlacePages: z.boolean(),
  quickExit: quickExitModeSchema,
  /** Followers, who stay when the account becomes private. */
  followerCount: z.number(),
  /** Follow requests, which becoming public approves. */
  followRequestCount: z.number(),
  /** Posts outside groups that are for followers alone. */
  followersOnlyPostCount: z.number(),
  /** Whether becoming public takes the password: nobody has proved lately, in this session, that the account is theirs. */
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
 * Changes what is given. Becoming private closes earlier posts to all but followers, who stay; becoming public approves who waits,
 * and asks for `earlierPosts`, and without a fresh proof (`proveIdentityOperation`) for the password.
 */
export const updatePrivacySettingsOperation = defineOperation({
  name: 'updatePrivacySettings',
  method: 'PATCH',
  path: '/me/privacy',
  input: z.object({
    isPrivate: z.optional(z.boolean()),
    /** For whom the posts of the private time are from now on; needed to become public. */
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
