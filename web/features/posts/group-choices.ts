import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Group } from '#contract/groups.ts'
import { myGroups } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { groupKeys } from '#web/features/groups/cache.ts'

export type GroupChoice = Pick<Group, '$id' | 'name'>

const pageSize = 100

/** All the groups she is in: a picker cannot be scrolled for more. */
const groupChoicesQuery = queryOptions({
  queryKey: [...groupKeys.all, 'choices'],
  queryFn: async ({ signal }) => {
    const groups: GroupChoice[] = []
    let cursor: string | undefined
    do {
      const page = await call(myGroups, { cursor, limit: pageSize }, signal)
      groups.push(...page.documents)
      cursor = page.next ?? undefined
    } while (cursor)
    return groups
  },
  staleTime: 0,
})

export const useGroupChoices = () => useQuery(groupChoicesQuery)
