import {
  listFollowersEndpoint,
  listFollowingEndpoint,
  listLikersEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'
import { createPeoplePagesQuery } from './queries.ts'

export const followersQuery = (personId: string) =>
  createPeoplePagesQuery(peopleQueryKeys.followers(personId), (cursor, signal) =>
    callApiOperation(listFollowersEndpoint, { personId, cursor }, signal),
  )

export const followingQuery = (personId: string) =>
  createPeoplePagesQuery(peopleQueryKeys.following(personId), (cursor, signal) =>
    callApiOperation(listFollowingEndpoint, { personId, cursor }, signal),
  )

/** Ordered by like, newest first. */
export const likersQuery = (postId: string) =>
  createPeoplePagesQuery(peopleQueryKeys.likers(postId), (cursor, signal) =>
    callApiOperation(listLikersEndpoint, { postId, cursor }, signal),
  )
