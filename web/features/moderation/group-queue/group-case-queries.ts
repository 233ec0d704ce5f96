/** Imports the operations, because the generated endpoints load with the first page. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getGroupCaseOperation, listGroupCasesOperation } from '#contract/moderation/group-cases.ts'
import { callApiOperation } from '#web/api/client.ts'

const refetchInterval = 30_000

export const groupCaseKeys = {
  all: ['group-cases'] as const,
  list: (groupId: string) => ['group-cases', 'list', groupId] as const,
  one: (caseId: string) => ['group-cases', 'one', caseId] as const,
}

export const groupCasesQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: groupCaseKeys.list(groupId),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listGroupCasesOperation, { groupId, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  })

export const groupCaseQuery = (groupId: string, caseId: string) =>
  queryOptions({
    queryKey: groupCaseKeys.one(caseId),
    queryFn: ({ signal }) => callApiOperation(getGroupCaseOperation, { groupId, caseId }, signal),
  })
