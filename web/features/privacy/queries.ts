/** Queries of the member's privacy: the settings, and who asks to follow. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  countFollowRequestsEndpoint,
  getPrivacySettingsEndpoint,
  listFollowRequestsEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { privacyQueryKeys } from '#web/api/query-keys.ts'

export const privacySettingsQuery = queryOptions({
  queryKey: privacyQueryKeys.settings,
  queryFn: ({ signal }) => callApiOperation(getPrivacySettingsEndpoint, {}, signal),
})

/** Who asks to follow the member, newest first. */
export const followRequestsQuery = infiniteQueryOptions({
  queryKey: privacyQueryKeys.requests,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listFollowRequestsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

/** How many ask to follow the member. */
export const followRequestCountQuery = queryOptions({
  queryKey: privacyQueryKeys.requestCount,
  queryFn: async ({ signal }) => (await callApiOperation(countFollowRequestsEndpoint, {}, signal)).count,
})
