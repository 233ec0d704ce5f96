import { useQueryClient } from '@tanstack/react-query'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import { moderationQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { isModeratorPasswordRequired, moderationCaseQuery } from './case-queries.ts'

/**
 * If the unlocked time has ended, the page asks for the password, so no error appears.
 * @returns also `buttonState`: the pressed button is busy, and the others are disabled until it is done
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
  return { mutate, isPending, error: isModeratorPasswordRequired(error) ? null : error, buttonState }
}
