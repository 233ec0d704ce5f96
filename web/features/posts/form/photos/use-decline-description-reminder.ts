import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePostPreferencesEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

/** Turns the reminder off for the account. If the request fails, the reminder reappears. */
export function useDeclineDescriptionReminder() {
  const client = useQueryClient()
  const show = (altReminder: false | undefined) =>
    client.setQueryData(signedInMemberQuery.queryKey, (member) => member && { ...member, altReminder })
  return useMutation({
    mutationFn: () => callApiOperation(updatePostPreferencesEndpoint, { altReminder: false }),
    onMutate: () => show(false),
    onError: () => {
      show(undefined)
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    },
  })
}
