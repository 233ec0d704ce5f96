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

export type TagPostPage = OperationOutput<typeof listTagPostsOperation>

/** Newest first. */
export const tagPostsQuery = (tag: string) =>
  createPostPagesQuery(postQueryKeys.ofTag(tag), (cursor, signal) =>
    callApiOperation(listTagPostsEndpoint, { tag, cursor }, signal),
  )

export const similarPostsQuery = (postId: string) =>
  queryOptions({
    queryKey: postQueryKeys.similar(postId),
    queryFn: ({ signal }) => callApiOperation(listSimilarPostsEndpoint, { postId }, signal),
  })

export type PlacePostPage = OperationOutput<typeof listPlacePostsOperation>

/** Newest first. */
export const placePostsQuery = (place: string) =>
  createPostPagesQuery(postQueryKeys.ofPlace(place), (cursor, signal) =>
    callApiOperation(listPlacePostsEndpoint, { place, cursor }, signal),
  )

export const suggestedPlacesQuery = (term: string) =>
  queryOptions({
    queryKey: suggestedPlacesQueryKey(term),
    queryFn: ({ signal }) => callApiOperation(suggestPlacesEndpoint, { term }, signal),
  })
