/** Queries of posts by what they have in common. */
import { queryOptions } from '@tanstack/react-query'
import {
  listPlacePostsEndpoint,
  listSimilarPostsEndpoint,
  listTagPostsEndpoint,
  suggestPlacesEndpoint,
} from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import type { listPlacePostsOperation, listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { callApiOperation } from '#web/api/client.ts'
import { postQueryKeys, suggestedPlacesQueryKey } from '#web/api/query-keys.ts'
import { createPostPagesQuery } from '#web/features/posts/queries.ts'

/** What a page of the list of a tag has beside its posts. */
export type TagPostPage = OperationOutput<typeof listTagPostsOperation>

/** Posts with a tag that the member may read, newest first. Its pages are `TagPostPage`s. */
export const tagPostsQuery = (tag: string) =>
  createPostPagesQuery(postQueryKeys.ofTag(tag), (cursor, signal) =>
    callApiOperation(listTagPostsEndpoint, { tag, cursor }, signal),
  )

/** Posts of others that share tags with a post. */
export const similarPostsQuery = (postId: string) =>
  queryOptions({
    queryKey: postQueryKeys.similar(postId),
    queryFn: ({ signal }) => callApiOperation(listSimilarPostsEndpoint, { postId }, signal),
  })

/** What a page of the list of a place has beside its posts. */
export type PlacePostPage = OperationOutput<typeof listPlacePostsOperation>

/** Posts of a place that the member may read, newest first. Its pages are `PlacePostPage`s. */
export const placePostsQuery = (place: string) =>
  createPostPagesQuery(postQueryKeys.ofPlace(place), (cursor, signal) =>
    callApiOperation(listPlacePostsEndpoint, { place, cursor }, signal),
  )

/** Places that begin with a few letters, of posts that the member may read. */
export const suggestedPlacesQuery = (term: string) =>
  queryOptions({
    queryKey: suggestedPlacesQueryKey(term),
    queryFn: ({ signal }) => callApiOperation(suggestPlacesEndpoint, { term }, signal),
  })
