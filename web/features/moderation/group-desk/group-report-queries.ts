/**
 * Queries of a group's desk: its open cases, and one with what was kept of it. The operations themselves are called, not their
 * generated endpoints, which all load with the first page.
 */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getGroupReportOperation, listGroupReportsOperation } from '#contract/moderation/group-reports.ts'
import { callApiOperation } from '#web/api/client.ts'

/** While the desk is open it looks for what came in (ms). */
const refetchInterval = 30_000

export const groupReportKeys = {
  all: ['group-reports'] as const,
  list: (groupId: string) => ['group-reports', 'list', groupId] as const,
  one: (caseId: string) => ['group-reports', 'one', caseId] as const,
}

export const groupReportsQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: groupReportKeys.list(groupId),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listGroupReportsOperation, { groupId, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  })

export const groupReportQuery = (groupId: string, caseId: string) =>
  queryOptions({
    queryKey: groupReportKeys.one(caseId),
    queryFn: ({ signal }) => callApiOperation(getGroupReportOperation, { groupId, caseId }, signal),
  })
