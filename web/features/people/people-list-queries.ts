/** Queries of the lists of people that open over a page. */

import {
  listFollowersEndpoint,
  listFollowingEndpoint,
  listLikersEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'
import { createPeoplePagesQuery } from './queries.ts'

/** Who follows that person, newest first. */
export const followersQuery = (personId: string) =>
  createPeoplePagesQuery(peopleQueryKeys.followers(personId), (cursor, signal) =>
    callApiOperation(listFollowersEndpoint, { personId, cursor }, signal),
  )

/** Whom that person follows, newest first. */
export const followingQuery = (personId: string) =>
  createPeoplePagesQuery(peopleQueryKeys.following(personId), (cursor, signal) =>
    callApiOperation(listFollowingEndpoint, { personId, cursor }, signal),
  )

/** Who likes that post, newest like first. */
export const likersQuery = (postId: string) =>
  createPeoplePagesQuery(peopleQueryKeys.likers(postId), (cursor, signal) =>
    callApiOperation(listLikersEndpoint, { postId, cursor }, signal),
  )
