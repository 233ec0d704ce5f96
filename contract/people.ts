/** People: members as others see them, and who follows whom (spec §2 Profile, All Users; §7 Users, Follows). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { operation } from './operation.ts'

/** What a post, a message or a request shows of the person behind it. */
export const creator = z.object({
  $id: fields.id,
  name: z.string(),
  username: z.string(),
  /** The picture's variants, or an initials avatar (reading D-11). */
  imageUrl: z.string(),
  imageId: z.nullable(fields.id),
})

export const person = z.object({
  ...creator.shape,
  $createdAt: fields.instant,
  bio: z.string(),
  /** Whether the one who asks follows her. */
  following: z.boolean(),
})

export const profile = z.object({
  ...person.shape,
  /** Posts that the one who asks may see (reading R-08). */
  postCount: z.number(),
  followerCount: z.number(),
  followingCount: z.number(),
})

/** The member herself: the only place where her e-mail is sent (reading R-11). */
export const me = z.object({ ...profile.shape, accountId: fields.id, email: z.string() })

export type Creator = z.infer<typeof creator>
export type Person = z.infer<typeof person>
export type Profile = z.infer<typeof profile>
export type Me = z.infer<typeof me>

const peoplePage = z.object({
  documents: z.array(person),
  /** Pass it as `cursor` for the next page; null when this was the last. */
  next: z.nullable(z.string()),
})

export const listPeople = operation({
  name: 'listPeople',
  method: 'GET',
  path: '/people',
  input: z.object({
    limit: z.optional(fields.pageSize),
    cursor: z.optional(fields.id),
    /** `others` leaves the asking member out before the limit counts (conflict C-05). */
    who: z.optional(z.enum(['everyone', 'others'])),
  }),
  output: peoplePage,
  errors: ['general_cursor_not_found'],
  limit: 'people',
})

export const getPerson = operation({
  name: 'getPerson',
  method: 'GET',
  path: '/people/:personId',
  input: z.object({ personId: fields.id }),
  output: profile,
  errors: ['user_not_found'],
  limit: 'read',
})

const followInput = z.object({ personId: fields.id, followerId: fields.actor })

export const follow = operation({
  name: 'follow',
  method: 'PUT',
  path: '/people/:personId/follow',
  input: followInput,
  output: z.object({ following: z.boolean() }),
  errors: ['user_not_found', 'user_unauthorized', 'follow_self_not_allowed'],
  limit: 'follow',
})

export const unfollow = operation({
  name: 'unfollow',
  method: 'DELETE',
  path: '/people/:personId/follow',
  input: followInput,
  output: z.object({ following: z.boolean() }),
  errors: ['user_not_found', 'user_unauthorized'],
  limit: 'follow',
})

/** Her own profile alone; username and e-mail stay as they are whatever is sent (row PUPD-10). */
export const updatePerson = operation({
  name: 'updatePerson',
  method: 'PATCH',
  path: '/people/:personId',
  input: z.object({
    personId: fields.id,
    userId: fields.actor,
    name: z.optional(fields.name),
    bio: z.optional(fields.bio),
    /** A finished upload; null takes the picture away. */
    imageId: z.optional(z.nullable(fields.id)),
  }),
  output: profile,
  errors: ['user_not_found', 'user_unauthorized', 'storage_file_not_found'],
  limit: 'write',
})

/** By name or username, accent- and case-insensitive substring, at most twenty, newest first; blank finds nobody. */
export const searchPeople = operation({
  name: 'searchPeople',
  method: 'GET',
  path: '/search/people',
  input: z.object({
    term: z.string().check(z.trim(), z.maxLength(200)),
    /** `others` leaves the asking member out. */
    who: z.optional(z.enum(['everyone', 'others'])),
  }),
  output: z.object({ documents: z.array(person) }),
  limit: 'search',
})

export const isFollowing = operation({
  name: 'isFollowing',
  method: 'GET',
  path: '/people/:personId/follow',
  input: z.object({ personId: fields.id }),
  output: z.object({ following: z.boolean() }),
  errors: ['user_not_found'],
  limit: 'read',
})

const circleInput = z.object({
  personId: fields.id,
  cursor: z.optional(fields.id),
  limit: z.optional(fields.pageSize),
})

/** Those who follow her, newest first. The cursor is the last follow's id. */
export const listFollowers = operation({
  name: 'listFollowers',
  method: 'GET',
  path: '/people/:personId/followers',
  input: circleInput,
  output: peoplePage,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/** Those she follows, newest first. */
export const listFollowing = operation({
  name: 'listFollowing',
  method: 'GET',
  path: '/people/:personId/following',
  input: circleInput,
  output: peoplePage,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})
