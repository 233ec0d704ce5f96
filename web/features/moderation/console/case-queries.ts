/** Queries of moderators: the cases of a tab, and one with its evidence; what is done with one. */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { getCaseEndpoint, listCasesEndpoint } from '#contract/generated-endpoints.ts'
import type { ModerationCase, moderationCaseTabs } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { asApiError } from '#web/api/error-message.ts'
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

/** Says whether a moderator is not, or no longer, on duty. */
export const isPasswordRequired = (error: unknown): boolean =>
  asApiError(error)?.type === 'moderation_password_required'

/**
 * Does one of the named things with a case, shows what became of it, and has the lists loaded anew. The end of the duty is no
 * error of it: the page then asks for the password.
 * @returns also `buttonState`: whether a thing's button was pressed, or has to wait for the one that was
 */
export function useCaseMutation<Name extends string>(
  caseId: string,
  calls: Record<Name, () => Promise<ModerationCase>>,
) {
  const client = useQueryClient()
  const { mutate, isPending, variables, error } = useSingleFlightMutation({
    mutationFn: (name: Name) => calls[name](),
    onSuccess: (changed) => {
      client.setQueryData(moderationCaseQuery(caseId).queryKey, changed)
      void client.invalidateQueries({ queryKey: moderationQueryKeys.lists })
    },
    onError: () => void client.invalidateQueries({ queryKey: moderationQueryKeys.all }),
  })
  const buttonState = (name: Name, disabled = false) => ({
    busy: isPending && variables === name,
    disabled: disabled || (isPending && variables !== name),
  })
  return { mutate, isPending, error: isPasswordRequired(error) ? null : error, buttonState }
}
