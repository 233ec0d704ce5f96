import { queryOptions, useQuery } from '@tanstack/react-query'
import { listMyGroupsEndpoint } from '#contract/generated-endpoints.ts'
import type { Group } from '#contract/groups/groups.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys } from '#web/api/query-keys.ts'

export type GroupOption = Pick<Group, '$id' | 'name'>

const pageSize = 100

/** Loads all groups, because a select element cannot load more later. */
const groupOptionsQuery = queryOptions({
  queryKey: groupQueryKeys.options,
  queryFn: async ({ signal }) => {
    const groups: GroupOption[] = []
    let cursor: string | undefined
    do {
      const page = await callApiOperation(listMyGroupsEndpoint, { cursor, limit: pageSize }, signal)
      groups.push(...page.documents)
      cursor = page.next ?? undefined
    } while (cursor)
    return groups
  },
  staleTime: 0,
})

export const useGroupOptions = () => useQuery(groupOptionsQuery)
