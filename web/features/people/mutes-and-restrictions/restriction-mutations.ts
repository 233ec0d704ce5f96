import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { restrictMemberEndpoint, unrestrictMemberEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { restrictedMembersQuery, restrictionQuery } from './restriction-queries.ts'

type RestrictablePerson = { $id: string; name: string }

const failed = () =>
  toast({
    title: en('Error', 'Error'),
    text: genericErrorMessage,
    kind: 'destructive',
  })

/** Moves the conversation to the message requests. The toast offers to undo it. */
export function useRestrictMember(person: RestrictablePerson) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(restrictMemberEndpoint, { personId: person.$id }),
    onSuccess: () => {
      showRestriction(client, person.$id, true)
      toast({
        title: en('Restricted', 'Restringida'),
        text: en(`${person.name} won’t know.`, `${person.name} no lo sabrá.`),
        action: { label: en('Undo', 'Deshacer'), run: () => void unrestrict(client, person).catch(failed) },
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
  toast({ title: en('Unrestricted', 'Ya no está restringida') })
}

function showRestriction(client: QueryClient, personId: string, restricted: boolean): void {
  client.setQueryData(restrictionQuery(personId).queryKey, restricted)
  void client.invalidateQueries({ queryKey: restrictedMembersQuery.queryKey })
  void client.invalidateQueries({ queryKey: chatQueryKeys.conversations })
}
