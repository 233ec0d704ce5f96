import * as z from 'zod/mini'
import { accentSchema, logoVersionSchema } from '../community/community-identity.ts'
import * as fields from '../field-schemas.ts'
import * as limits from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

export const personSummarySchema = z.object({
  $id: fields.publicIdSchema,
  name: z.string(),
  username: z.string(),
  imageUrl: z.string(),
  imageId: z.nullable(fields.publicIdSchema),
})

export const personSchema = z.object({
  ...personSummarySchema.shape,
  $createdAt: fields.isoTimestampSchema,
  bio: z.string(),
  following: z.boolean(),
  /** True while a request waits. A declined request looks the same for 30 days. */
  requested: z.boolean(),
  /** If true, followers need approval, and posts outside groups are for followers only. */
  isPrivate: z.boolean(),
  can: z.object({ write: z.boolean() }),
})

/** The audience of the lists of followers and followed people. */
export const listAudienceSchema = z.enum(['everyone', 'followers', 'me'])

export const profileSchema = z.object({
  ...personSchema.shape,
  /** Counts posts visible to the caller. */
  postCount: z.number(),
  /** Null if the caller may not see the list. */
  followerCount: z.nullable(z.number()),
  followingCount: z.nullable(z.number()),
  /** For a private account, at most followers see the lists. */
  listsFor: listAudienceSchema,
  followsMe: z.boolean(),
  /** `seePosts` allows followers-only posts, and `seeLists` followers and followed people. */
  can: z.object({ write: z.boolean(), block: z.boolean(), seePosts: z.boolean(), seeLists: z.boolean() }),
})

/** Only the member's own profile contains an email address. */
export const currentMemberSchema = z.object({
  ...profileSchema.shape,
  accountId: fields.publicIdSchema,
  email: z.string(),
  quickExit: z.optional(
    z.object({
      url: z.string(),
      signsOut: z.boolean(),
    }),
  ),
  /** False if the caller turned off reminders of photo descriptions. */
  altReminder: z.optional(z.literal(false)),
  /** True if others see when the caller is typing. */
  showsTyping: z.optional(z.literal(true)),
  moderates: z.optional(z.literal(true)),
  operates: z.optional(z.literal(true)),
  community: z.optional(z.string()),
  accent: z.optional(accentSchema),
  logo: z.optional(logoVersionSchema),
  /** Present until the caller dismisses the announcement. */
  announcement: z.optional(
    z.object({ version: z.number(), text: z.string(), at: fields.isoTimestampSchema }),
  ),
  /** Present until the caller has read the rules. */
  unreadHouseRules: z.optional(z.number()),
  /** Present until the caller has seen the welcome sheet. */
  welcome: z.optional(z.literal(true)),
  /** True if registration allows the caller to invite people. */
  invites: z.optional(z.literal(true)),
})

export type PersonSummary = z.infer<typeof personSummarySchema>
export type Person = z.infer<typeof personSchema>
export type Profile = z.infer<typeof profileSchema>
export type CurrentMember = z.infer<typeof currentMemberSchema>

/** The background colour follows from the name. */
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
  next: z.nullable(z.string()),
})

export const listPeopleOperation = defineOperation({
  name: 'listPeople',
  method: 'GET',
  path: '/people',
  input: z.object({
    limit: z.optional(fields.pageSizeSchema),
    cursor: z.optional(fields.publicIdSchema),
    /** `others` leaves out the caller before the limit is applied. */
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

/** `requested` means that the account is private and the request waits. */
const followState = z.object({ following: z.boolean(), requested: z.boolean() })

/** For a private account, this creates a request. */
export const followOperation = defineOperation({
  name: 'follow',
  method: 'PUT',
  path: '/people/:personId/follow',
  input: followInput,
  output: followState,
  errors: ['user_not_found', 'user_unauthorized', 'follow_self_not_allowed'],
  limit: 'follow',
})

/** Ends the follow, or withdraws the request. */
export const unfollowOperation = defineOperation({
  name: 'unfollow',
  method: 'DELETE',
  path: '/people/:personId/follow',
  input: followInput,
  output: followState,
  errors: ['user_not_found', 'user_unauthorized'],
  limit: 'follow',
})

/** Removes a follower without notifying them. */
export const removeFollowerOperation = defineOperation({
  name: 'removeFollower',
  method: 'DELETE',
  path: '/me/followers/:personId',
  input: z.object({ personId: fields.publicIdSchema }),
  output: z.object({ removed: z.literal(true) }),
  errors: ['user_not_found'],
  limit: 'follow',
})

/** Updates the profile. Username and email are ignored. */
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
 * Searches parts of names and usernames, ignoring case and accents. Returns at most twenty people, newest
 * first. A blank term finds nobody.
 */
export const searchPeopleOperation = defineOperation({
  name: 'searchPeople',
  method: 'GET',
  path: '/search/people',
  input: z.object({
    term: z.string().check(z.trim(), maxTextLength(200)),
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

/** Lists followers newest first. */
export const listFollowersOperation = defineOperation({
  name: 'listFollowers',
  method: 'GET',
  path: '/people/:personId/followers',
  input: circleInput,
  output: peoplePageSchema,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists followed people newest first. */
export const listFollowingOperation = defineOperation({
  name: 'listFollowing',
  method: 'GET',
  path: '/people/:personId/following',
  input: circleInput,
  output: peoplePageSchema,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})
