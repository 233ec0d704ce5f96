/** Members as others see them, and follows. */
import * as z from 'zod/mini'
import { accentSchema, logoVersionSchema } from '../community/community-identity.ts'
import * as fields from '../field-schemas.ts'
import * as limits from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

/** The person shown beside a post, message or request. */
export const personSummarySchema = z.object({
  $id: fields.publicIdSchema,
  name: z.string(),
  username: z.string(),
  /** The picture's variants, or initials. */
  imageUrl: z.string(),
  imageId: z.nullable(fields.publicIdSchema),
})

export const personSchema = z.object({
  ...personSummarySchema.shape,
  $createdAt: fields.isoTimestampSchema,
  bio: z.string(),
  following: z.boolean(),
  /** Whether the caller's follow request waits. A declined one looks the same for 30 days. */
  requested: z.boolean(),
  /** Whether followers need approval and posts outside groups are for followers only. */
  isPrivate: z.boolean(),
  /** Decided by the server's policy; `write` respects the member's setting. */
  can: z.object({ write: z.boolean() }),
})

/** Who sees a member's followers and followed: the member, their followers, or everyone. */
export const listAudienceSchema = z.enum(['everyone', 'followers', 'me'])

export const profileSchema = z.object({
  ...personSchema.shape,
  /** Posts visible to the caller. */
  postCount: z.number(),
  /** Null if the list is hidden from the caller. */
  followerCount: z.nullable(z.number()),
  followingCount: z.nullable(z.number()),
  /** Who sees both lists; for a private account at most followers. */
  listsFor: listAudienceSchema,
  followsMe: z.boolean(),
  /**
   * Decided by the server's policy. `seePosts` concerns posts for followers only; `seeLists` followers and
   * followed.
   */
  can: z.object({ write: z.boolean(), block: z.boolean(), seePosts: z.boolean(), seeLists: z.boolean() }),
})

/** The caller's own profile: the only place that sends an email address. */
export const currentMemberSchema = z.object({
  ...profileSchema.shape,
  accountId: fields.publicIdSchema,
  email: z.string(),
  /** Quick exit, if turned on. */
  quickExit: z.optional(
    z.object({
      /** The neutral page to open instead. */
      url: z.string(),
      /** Whether it also signs out. */
      signsOut: z.boolean(),
    }),
  ),
  /** The caller turned off reminders of photo descriptions. */
  altReminder: z.optional(z.literal(false)),
  /** The caller shows a typing indicator to others. */
  showsTyping: z.optional(z.literal(true)),
  /** The caller is a moderator. */
  moderates: z.optional(z.literal(true)),
  /** The caller is an operator. */
  operates: z.optional(z.literal(true)),
  /** The community's name, if changed. */
  community: z.optional(z.string()),
  /** The community's accent, if chosen. */
  accent: z.optional(accentSchema),
  /** The version of the community's logo, if it has one. */
  logo: z.optional(logoVersionSchema),
  /** The announcement that the caller has not dismissed. */
  announcement: z.optional(
    z.object({ version: z.number(), text: z.string(), at: fields.isoTimestampSchema }),
  ),
  /** The version of house rules that the caller has not read. */
  unreadHouseRules: z.optional(z.number()),
  /** The caller has not seen the welcome sheet. */
  welcome: z.optional(z.literal(true)),
  /** Registration allows the caller to invite. */
  invites: z.optional(z.literal(true)),
})

export type PersonSummary = z.infer<typeof personSummarySchema>
export type Person = z.infer<typeof personSchema>
export type Profile = z.infer<typeof profileSchema>
export type CurrentMember = z.infer<typeof currentMemberSchema>

/** An initials avatar; the name determines its tint. */
export const getInitialsOperation = defineOperation({
  name: 'getInitials',
  method: 'GET',
  path: '/people/avatars/initials',
  who: 'visitor',
  input: z.object({ name: z.string().check(maxTextLength(limits.personNameLengthLimits.max)) }),
  output: z.void(),
  limit: 'read',
  responseBody: 'image',
})

export const peoplePageSchema = z.object({
  documents: z.array(personSchema),
  /** The next page's `cursor`; null on the last page. */
  next: z.nullable(z.string()),
})

export const listPeopleOperation = defineOperation({
  name: 'listPeople',
  method: 'GET',
  path: '/people',
  input: z.object({
    limit: z.optional(fields.pageSizeSchema),
    cursor: z.optional(fields.publicIdSchema),
    /** `others` leaves out the caller before the limit applies. */
    who: z.optional(z.enum(['everyone', 'others'])),
  }),
  output: peoplePageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'people',
})

export const getPersonOperation = defineOperation({
  name: 'getPerson',
  method: 'GET',
  path: '/people/:personId',
  input: z.object({ personId: fields.publicIdSchema }),
  output: profileSchema,
  errors: ['user_not_found'],
  limit: 'read',
})

const followInput = z.object({ personId: fields.publicIdSchema, followerId: fields.actorIdSchema })

/** `requested`: the account is private and the request waits. */
const followState = z.object({ following: z.boolean(), requested: z.boolean() })

/** Follows a person, or asks to if the account is private. Idempotent. */
export const followOperation = defineOperation({
  name: 'follow',
  method: 'PUT',
  path: '/people/:personId/follow',
  input: followInput,
  output: followState,
  errors: ['user_not_found', 'user_unauthorized', 'follow_self_not_allowed'],
  limit: 'follow',
})

/** Ends the follow or withdraws the request. */
export const unfollowOperation = defineOperation({
  name: 'unfollow',
  method: 'DELETE',
  path: '/people/:personId/follow',
  input: followInput,
  output: followState,
  errors: ['user_not_found', 'user_unauthorized'],
  limit: 'follow',
})

/** Removes a follower silently. Idempotent. */
export const removeFollowerOperation = defineOperation({
  name: 'removeFollower',
  method: 'DELETE',
  path: '/me/followers/:personId',
  input: z.object({ personId: fields.publicIdSchema }),
  output: z.object({ removed: z.literal(true) }),
  errors: ['user_not_found'],
  limit: 'follow',
})

/** Updates the caller's profile, ignoring username and email. */
export const updateProfileOperation = defineOperation({
  name: 'updateProfile',
  method: 'PATCH',
  path: '/people/:personId',
  input: z.object({
    personId: fields.publicIdSchema,
    userId: fields.actorIdSchema,
    name: z.optional(fields.personNameSchema),
    bio: z.optional(fields.bioSchema),
    /** An unused upload; null removes the picture. */
    imageId: z.optional(z.nullable(fields.publicIdSchema)),
  }),
  output: profileSchema,
  errors: ['user_not_found', 'user_unauthorized', 'user_name_reserved', 'storage_file_not_found'],
  limit: 'edit',
})

/**
 * Searches names and usernames by substring, ignoring case and accents: at most twenty, newest first. A blank
 * term finds nobody.
 */
export const searchPeopleOperation = defineOperation({
  name: 'searchPeople',
  method: 'GET',
  path: '/search/people',
  input: z.object({
    term: z.string().check(z.trim(), maxTextLength(200)),
    /** `others` leaves out the caller. */
    who: z.optional(z.enum(['everyone', 'others'])),
  }),
  output: z.object({ documents: z.array(personSchema) }),
  limit: 'search',
  errors: ['database_timeout'],
})

export const isFollowingOperation = defineOperation({
  name: 'isFollowing',
  method: 'GET',
  path: '/people/:personId/follow',
  input: z.object({ personId: fields.publicIdSchema }),
  output: followState,
  errors: ['user_not_found'],
  limit: 'read',
})

const circleInput = z.object({
  personId: fields.publicIdSchema,
  cursor: z.optional(fields.publicIdSchema),
  limit: z.optional(fields.pageSizeSchema),
})

/** Lists a person's followers, newest first. The cursor is the last follow's id. */
export const listFollowersOperation = defineOperation({
  name: 'listFollowers',
  method: 'GET',
  path: '/people/:personId/followers',
  input: circleInput,
  output: peoplePageSchema,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists the people someone follows, newest first. */
export const listFollowingOperation = defineOperation({
  name: 'listFollowing',
  method: 'GET',
  path: '/people/:personId/following',
  input: circleInput,
  output: peoplePageSchema,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})
