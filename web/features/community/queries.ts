/** Queries of the place itself: what visitors read of it, its settings, and a member's invitations. */
import { queryOptions } from '@tanstack/react-query'
import {
  getCommunityEndpoint,
  getCommunitySettingsEndpoint,
  getFirstStepsEndpoint,
  listInvitationsEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { communityQueryKeys } from '#web/api/query-keys.ts'

export const communityQuery = queryOptions({
  queryKey: communityQueryKeys.community,
  queryFn: ({ signal }) => callApiOperation(getCommunityEndpoint, {}, signal),
})

export const communitySettingsQuery = queryOptions({
  queryKey: communityQueryKeys.settings,
  queryFn: ({ signal }) => callApiOperation(getCommunitySettingsEndpoint, {}, signal),
})

/** Asked anew with every visit of Home: what it says changes elsewhere. */
export const firstStepsQuery = queryOptions({
  queryKey: communityQueryKeys.firstSteps,
  queryFn: ({ signal }) => callApiOperation(getFirstStepsEndpoint, {}, signal),
  staleTime: 0,
})

export const invitationsQuery = queryOptions({
  queryKey: communityQueryKeys.invitations,
  queryFn: ({ signal }) => callApiOperation(listInvitationsEndpoint, {}, signal),
})
