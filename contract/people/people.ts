/** People: members as others see them, and who follows whom. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import * as limits from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

/** What a post, a message or a request shows of the person behind it. */
export const personSummarySchema = z.object({
  $id: fields.publicIdSchema,
  name: z.string(),
  username: z.string(),
  /** The picture's variants, or an initials avatar. */
  imageUrl: z.string(),
  imageId: z.nullable(fields.publicIdSchema),
})

export const personSchema = z.object({
  ...personSummarySchema.shape,
  $createdAt: fields.isoTimestampSchema,
  bio: z.string(),
  /** Whether the caller follows this person. */
  following: z.boolean(),
  /** Whether the caller asked to follow this person and waits; also where the request was declined, for 30 days. */
  requested: z.boolean(),
  /** Whether this person approves who follows: posts outside groups are for followers alone. */
  isPrivate: z.boolean(),
  /** What the caller may do with this member, decided by the server's policy: `write` follows what the member chose. */
  can: z.object({ write: z.boolean() }),
})

/** Who sees whom a member follows and is followed by: the member alone, followers too, or everyone. */
export const listAudienceSchema = z.enum(['everyone', 'followers', 'me'])

export const profileSchema = z.object({
  ...personSchema.shape,
  /** Posts that the one who asks may see. */
  postCount: z.number(),
  /** Null where the caller may not see the list. */
  followerCount: z.nullable(z.number()),
  followingCount: z.nullable(z.number()),
  /** Who sees these two lists; of a private account never more than followers. */
  listsFor: listAudienceSchema,
  /** Whether this person follows the caller. */
  followsMe: z.boolean(),
  /**
   * What the caller may do with this member, decided by the server's policy. `seePosts` is of posts that are for followers
   * alone; `seeLists` of followers and followed.
   */
  can: z.object({ write: z.boolean(), block: z.boolean(), seePosts: z.boolean(), seeLists: z.boolean() }),
})

/** The caller's own profile: the only place where an e-mail address is sent. */
export const currentMemberSchema = z.object({
  ...profileSchema.shape,
  accountId: fields.publicIdSchema,
  email: z.string(),
  /** How the member leaves the web in a hurry, for who has turned that on. */
  quickExit: z.optional(
    z.object({
      /** The neutral page that takes the place of this one. */
      url: z.string(),
      /** Whether the session ends too. */
      signsOut: z.boolean(),
    }),
  ),
  /** The caller does not want to be reminded of photos without a description. */
  altReminder: z.optional(z.literal(false)),
  /** The caller shows others that a message is being written. */
  showsTyping: z.optional(z.literal(true)),
  /** The caller looks at what is reported. */
  moderates: z.optional(z.literal(true)),
  /** The caller sets the place up. */
  operates: z.optional(z.literal(true)),
  /** The community's name, where the operator changed it. */
  community: z.optional(z.string()),
  /** The version of the house rules that the caller has not read yet. */
  unreadHouseRules: z.optional(z.number()),
  /** The community takes new members, so the caller may invite. */
  invites: z.optional(z.literal(true)),
})

export type PersonSummary = z.infer<typeof personSummarySchema>
export type Person = z.infer<typeof personSchema>
export type Profile = z.infer<typeof profileSchema>
export type CurrentMember = z.infer<typeof currentMemberSchema>

/** A member's initials on a tint that follows from the name, for whoever has no picture. */
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
  /** Pass it as `cursor` for the next page; null when this was the last. */
  next: z.nullable(z.string()),
})

export const listPeopleOperation = defineOperation({
  name: 'listPeople',
  method: 'GET',
  path: '/people',
  input: z.object({
    limit: z.optional(fields.pageSizeSchema),
    cursor: z.optional(fields.publicIdSchema),
    /** `others` leaves the asking member out before the limit counts. */
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

/** `requested`: the account is private and the caller waits to be approved. */
const followState = z.object({ following: z.boolean(), requested: z.boolean() })

/** Follows a person; of a private account it asks to, once. Who follows already goes on following. */
export const followOperation = defineOperation({
  name: 'follow',
  method: 'PUT',
  path: '/people/:personId/follow',
  input: followInput,
  output: followState,
  errors: ['user_not_found', 'user_unauthorized', 'follow_self_not_allowed'],
  limit: 'follow',
})

/** Ends the follow, or withdraws the request to. */
export const unfollowOperation = defineOperation({
  name: 'unfollow',
  method: 'DELETE',
  path: '/people/:personId/follow',
  input: followInput,
  output: followState,
  errors: ['user_not_found', 'user_unauthorized'],
  limit: 'follow',
})

/** Ends that a person follows the caller, and tells nobody; answers alike where there was no follow. */
export const removeFollowerOperation = defineOperation({
  name: 'removeFollower',
  method: 'DELETE',
  path: '/me/followers/:personId',
  input: z.object({ personId: fields.publicIdSchema }),
  output: z.object({ removed: z.literal(true) }),
  errors: ['user_not_found'],
  limit: 'follow',
})

/** Updates the caller's own profile; username and e-mail stay as they are whatever is sent. */
export const updateProfileOperation = defineOperation({
  name: 'updateProfile',
  method: 'PATCH',
  path: '/people/:personId',
  input: z.object({
    personId: fields.publicIdSchema,
    userId: fields.actorIdSchema,
    name: z.optional(fields.personNameSchema),
    bio: z.optional(fields.bioSchema),
    /** A finished upload; null takes the picture away. */
    imageId: z.optional(z.nullable(fields.publicIdSchema)),
  }),
  output: profileSchema,
  errors: ['user_not_found', 'user_unauthorized', 'user_name_reserved', 'storage_file_not_found'],
  limit: 'edit',
})

/** By name or username, accent- and case-insensitive substring, at most twenty, newest first; blank finds nobody. */
export const searchPeopleOperation = defineOperation({
  name: 'searchPeople',
  method: 'GET',
  path: '/search/people',
  input: z.object({
    term: z.string().check(z.trim(), maxTextLength(200)),
    /** `others` leaves the asking member out. */
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

/** Lists whom a person follows, newest first. */
export const listFollowingOperation = defineOperation({
  name: 'listFollowing',
  method: 'GET',
  path: '/people/:personId/following',
  input: circleInput,
  output: peoplePageSchema,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})
