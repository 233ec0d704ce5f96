/** What the group screens ask for (spec §7 Groups). */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Group } from '#contract/groups.ts'
import {
  getGroup,
  groupPosts,
  listGroups,
  listMembers,
  pendingRequests,
  searchGroups,
} from '#contract/routes.ts'
import { ApiError, call } from '#web/api.ts'
import { belongs, forgetPosts, groupKeys } from './cache.ts'

const first = undefined as string | undefined

export const groupsQuery = infiniteQueryOptions({
  queryKey: groupKeys.list,
  queryFn: ({ pageParam, signal }) => call(listGroups, { cursor: pageParam }, signal),
  initialPageParam: first,
  getNextPageParam: ({ next }) => next,
})

/** @param term not blank: a blank one is no search (row GRP-08) */
export const groupSearchQuery = (term: string) =>
  queryOptions({
    queryKey: groupKeys.search(term),
    queryFn: ({ signal }) => call(searchGroups, { term }, signal),
  })

/** A group that she was in and is not any more takes its posts out of the cache with it. */
export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: groupKeys.one(groupId),
    queryFn: async ({ client, signal }) => {
      const before = client.getQueryData<Group>(groupKeys.one(groupId))
      const wasIn = before !== undefined && belongs(before.membership)
      try {
        const group = await call(getGroup, { groupId }, signal)
        if (wasIn && !belongs(group.membership)) forgetPosts(client, groupId)
        return group
      } catch (error) {
        if (wasIn && isGone(error)) forgetPosts(client, groupId)
        throw error
      }
    },
  })

/** There is no such group, or none any more; an id that cannot be one says the same. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.field === 'groupId')

/** The newest twenty; older ones are on their authors' pages (conflict C-55). */
export const groupPostsQuery = (groupId: string) =>
  queryOptions({
    queryKey: groupKeys.posts(groupId),
    queryFn: ({ signal }) => call(groupPosts, { groupId }, signal),
  })

export const membersQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: groupKeys.members(groupId),
    queryFn: ({ pageParam, signal }) => call(listMembers, { groupId, cursor: pageParam }, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
  })

export const requestsQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: groupKeys.requests(groupId),
    queryFn: ({ pageParam, signal }) => call(pendingRequests, { groupId, cursor: pageParam }, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
  })
