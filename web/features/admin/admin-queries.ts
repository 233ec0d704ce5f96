import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { adminMemberFilters } from '#contract/admin/members.ts'
import {
  getAdminMemberEndpoint,
  listAdminMembersEndpoint,
  listOperatorActsEndpoint,
  listPublicOperatorActsEndpoint,
  listSuspensionProposalsEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { adminQueryKeys } from '#web/api/query-keys.ts'

export type AdminMemberFilter = (typeof adminMemberFilters)[number]

export const operatorActsQuery = infiniteQueryOptions({
  queryKey: adminQueryKeys.acts,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listOperatorActsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  // Never cached: commands and other operators add actions.
  staleTime: 0,
})

export const adminMembersQuery = (term: string, filter: AdminMemberFilter) =>
  infiniteQueryOptions({
    queryKey: adminQueryKeys.members(term, filter),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listAdminMembersEndpoint, { term, filter, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

export const adminMemberQuery = (memberId: string) =>
  queryOptions({
    queryKey: adminQueryKeys.member(memberId),
    queryFn: ({ signal }) => callApiOperation(getAdminMemberEndpoint, { memberId }, signal),
    staleTime: 0,
  })

/** Never cached: moderators answer the same proposals. */
export const suspensionProposalsQuery = queryOptions({
  queryKey: adminQueryKeys.proposals,
  queryFn: ({ signal }) => callApiOperation(listSuspensionProposalsEndpoint, {}, signal),
  staleTime: 0,
})

/** The part of the operators' actions that members see. */
export const publicOperatorActsQuery = infiniteQueryOptions({
  queryKey: adminQueryKeys.publicActs,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listPublicOperatorActsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})
