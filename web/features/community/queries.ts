import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getCommunityEndpoint,
  getCommunityIdentityEndpoint,
  getCommunitySettingsEndpoint,
  getFirstStepsEndpoint,
  listApplicationsEndpoint,
  listInvitationsEndpoint,
  listSuggestedGroupsEndpoint,
  listSuggestedPeopleEndpoint,
  listVouchRequestsEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { communityQueryKeys, groupQueryKeys, peopleQueryKeys } from '#web/api/query-keys.ts'

export const communityQuery = queryOptions({
  queryKey: communityQueryKeys.community,
  queryFn: ({ signal }) => callApiOperation(getCommunityEndpoint, {}, signal),
})

export const communitySettingsQuery = queryOptions({
  queryKey: communityQueryKeys.settings,
  queryFn: ({ signal }) => callApiOperation(getCommunitySettingsEndpoint, {}, signal),
})

export const suggestedPeopleQuery = queryOptions({
  queryKey: peopleQueryKeys.suggested,
  queryFn: ({ signal }) => callApiOperation(listSuggestedPeopleEndpoint, {}, signal),
})

export const suggestedGroupsQuery = queryOptions({
  queryKey: groupQueryKeys.suggested,
  queryFn: ({ signal }) => callApiOperation(listSuggestedGroupsEndpoint, {}, signal),
})

export const communityIdentityQuery = queryOptions({
  queryKey: communityQueryKeys.identity,
  queryFn: ({ signal }) => callApiOperation(getCommunityIdentityEndpoint, {}, signal),
})

/** Reloads on every visit to Home, because other screens change the steps. */
export const firstStepsQuery = queryOptions({
  queryKey: communityQueryKeys.firstSteps,
  queryFn: ({ signal }) => callApiOperation(getFirstStepsEndpoint, {}, signal),
  staleTime: 0,
})

export const invitationsQuery = queryOptions({
  queryKey: communityQueryKeys.invitations,
  queryFn: ({ signal }) => callApiOperation(listInvitationsEndpoint, {}, signal),
})

export const applicationsQuery = infiniteQueryOptions({
  queryKey: communityQueryKeys.applications,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listApplicationsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

export const vouchRequestsQuery = queryOptions({
  queryKey: communityQueryKeys.vouchRequests,
  queryFn: ({ signal }) => callApiOperation(listVouchRequestsEndpoint, {}, signal),
  staleTime: 0,
})
