/** Queries of who is in photos: the member's own list, and whom the author of a photo may name. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listNameablePeopleEndpoint, listPhotosOfMeEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { namedPeopleQueryKeys } from '#web/api/query-keys.ts'

export const photosOfMeQuery = infiniteQueryOptions({
  queryKey: namedPeopleQueryKeys.photosOfMe,
  queryFn: ({ pageParam, signal }) => callApiOperation(listPhotosOfMeEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const nameablePeopleQuery = (photo: { postId: string; imageId: string }, term: string) =>
  queryOptions({
    queryKey: namedPeopleQueryKeys.nameable(photo.postId, photo.imageId, term),
    queryFn: ({ signal }) => callApiOperation(listNameablePeopleEndpoint, { ...photo, term }, signal),
    placeholderData: keepPreviousData,
    // Which members let the author name them changes by the minute.
    staleTime: 0,
  })
