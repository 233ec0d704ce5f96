/** Restricting a member and ending it. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { restrictMemberEndpoint, unrestrictMemberEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { restrictedMembersQuery, restrictionQuery } from './restriction-queries.ts'

type RestrictablePerson = { $id: string; name: string }

const failed = () =>
  toast({ title: 'Error', text: 'Something went wrong. Please try again.', kind: 'destructive' })

/** Restricts a person, whose conversation moves among the message requests; the toast takes it back. */
export function useRestrictMember(person: RestrictablePerson) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(restrictMemberEndpoint, { personId: person.$id }),
    onSuccess: () => {
      showRestriction(client, person.$id, true)
      toast({
        title: 'Restricted',
        text: `${person.name} won’t notice.`,
        action: { label: 'Undo', run: () => void unrestrict(client, person).catch(failed) },
      })
    },
    onError: failed,
  })
}

export function useUnrestrictMember(person: Pick<RestrictablePerson, '$id'>, onUnrestricted?: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => unrestrict(client, person),
    onSuccess: onUnrestricted,
    onError: failed,
  })
}

async function unrestrict(
  client: QueryClient,
  { $id: personId }: Pick<RestrictablePerson, '$id'>,
): Promise<void> {
  await callApiOperation(unrestrictMemberEndpoint, { personId })
  showRestriction(client, personId, false)
  toast({ title: 'Unrestricted' })
}

function showRestriction(client: QueryClient, personId: string, restricted: boolean): void {
  client.setQueryData(restrictionQuery(personId).queryKey, restricted)
  void client.invalidateQueries({ queryKey: restrictedMembersQuery.queryKey })
  void client.invalidateQueries({ queryKey: chatQueryKeys.conversations })
}
