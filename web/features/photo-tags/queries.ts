import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listPhotosOfMeEndpoint, listTaggablePeopleEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { photoTagQueryKeys } from '#web/api/query-keys.ts'

export const photosOfMeQuery = infiniteQueryOptions({
  queryKey: photoTagQueryKeys.photosOfMe,
  queryFn: ({ pageParam, signal }) => callApiOperation(listPhotosOfMeEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const taggablePeopleQuery = (photo: { postId: string; imageId: string }, term: string) =>
  queryOptions({
    queryKey: photoTagQueryKeys.taggable(photo.postId, photo.imageId, term),
    queryFn: ({ signal }) => callApiOperation(listTaggablePeopleEndpoint, { ...photo, term }, signal),
    placeholderData: keepPreviousData,
    // Never cached: members often change who may tag them.
    staleTime: 0,
  })
