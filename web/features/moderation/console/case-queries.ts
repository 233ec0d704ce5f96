/** Queries of moderators: the cases of a tab, and one with its evidence; what is done with one. */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { getCaseEndpoint, listCasesEndpoint } from '#contract/generated-endpoints.ts'
import type { ModerationCase, moderationCaseTabs } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { moderationQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'

export type ModerationTab = (typeof moderationCaseTabs)[number]

/** While the console is open it looks for what came in (ms). */
const refetchInterval = 30_000

export const moderationCasesQuery = (tab: ModerationTab) =>
  infiniteQueryOptions({
    queryKey: moderationQueryKeys.list(tab),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listCasesEndpoint, { tab, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  })

export const moderationCaseQuery = (caseId: string) =>
  queryOptions({
    queryKey: moderationQueryKeys.one(caseId),
    queryFn: ({ signal }) => callApiOperation(getCaseEndpoint, { caseId }, signal),
  })

/** Does something with a case, shows what became of it, and has the lists loaded anew. */
export function useCaseMutation(caseId: string) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (call: () => Promise<ModerationCase>) => call(),
    onSuccess: (changed) => {
      client.setQueryData(moderationCaseQuery(caseId).queryKey, changed)
      void client.invalidateQueries({ queryKey: moderationQueryKeys.lists })
    },
    onError: () => void client.invalidateQueries({ queryKey: moderationQueryKeys.all }),
  })
}
