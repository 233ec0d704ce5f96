import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getGroupEndpoint,
  listGroupMembersEndpoint,
  listGroupPostsEndpoint,
  listGroupsEndpoint,
  listPendingJoinRequestsEndpoint,
  searchGroupsEndpoint,
} from '#contract/generated-endpoints.ts'
import type { Group } from '#contract/groups/groups.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { createPostPagesQuery } from '#web/features/posts/queries.ts'
import { purgeGroupPostsFromCache } from './group-cache.ts'
import { isGroupMember } from './is-group-member.ts'

const first = undefined as string | undefined

export const groupsQuery = infiniteQueryOptions({
  queryKey: groupQueryKeys.list,
  queryFn: ({ pageParam, signal }) => callApiOperation(listGroupsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: first,
  getNextPageParam: ({ next }) => next,
})

/** @param term not blank */
export const groupSearchQuery = (term: string) =>
  queryOptions({
    queryKey: groupQueryKeys.search(term),
    queryFn: ({ signal }) => callApiOperation(searchGroupsEndpoint, { term }, signal),
  })

/** Drops a group's posts if the member has left the group. */
export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: groupQueryKeys.one(groupId),
    queryFn: async ({ client, signal }) => {
      const before = client.getQueryData<Group>(groupQueryKeys.one(groupId))
      const wasIn = before !== undefined && isGroupMember(before.membership)
      try {
        const group = await callApiOperation(getGroupEndpoint, { groupId }, signal)
        if (wasIn && !isGroupMember(group.membership)) purgeGroupPostsFromCache(client, groupId)
        return group
      } catch (error) {
        if (wasIn && isGroupNotFoundError(error)) purgeGroupPostsFromCache(client, groupId)
        throw error
      }
    },
  })

/** Also true for an invalid id. */
export const isGroupNotFoundError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.field === 'groupId')

export const groupPostsQuery = (groupId: string) =>
  createPostPagesQuery(postQueryKeys.ofGroup(groupId), (cursor, signal) =>
    callApiOperation(listGroupPostsEndpoint, { groupId, cursor }, signal),
  )

export const groupMembersQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: groupQueryKeys.members(groupId),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listGroupMembersEndpoint, { groupId, cursor: pageParam }, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
  })

export const joinRequestsQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: groupQueryKeys.requests(groupId),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listPendingJoinRequestsEndpoint, { groupId, cursor: pageParam }, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
  })
