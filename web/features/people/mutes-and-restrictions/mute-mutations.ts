import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { muteMemberEndpoint, unmuteMemberEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { chatQueryKeys, muteQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { purgeMutedPostsFromCache } from './purge-muted-posts.ts'

type MutablePerson = { $id: string; name: string }

const failed = () =>
  toast({
    title: en('Error', 'Error'),
    text: genericErrorMessage,
    kind: 'destructive',
  })

/** Removes the person's posts at once. The toast offers to undo it. */
export function useMuteMember(person: MutablePerson) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(muteMemberEndpoint, { personId: person.$id }),
    onSuccess: () => {
      client.setQueryData(muteQueryKeys.one(person.$id), true)
      purgeMutedPostsFromCache(client, person.$id)
      refreshAfterMuteChange(client)
      toast({
        title: en('Muted', 'Silenciada'),
        text: en(
          `You won’t see ${person.name} in Home and Explore.`,
          `No verás a ${person.name} en Inicio ni en Explorar.`,
        ),
        action: { label: en('Undo', 'Deshacer'), run: () => void unmute(client, person).catch(failed) },
      })
    },
    onError: failed,
  })
}

export function useUnmuteMember(person: Pick<MutablePerson, '$id'>, onUnmuted?: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => unmute(client, person),
    onSuccess: onUnmuted,
    onError: failed,
  })
}

async function unmute(client: QueryClient, { $id: personId }: Pick<MutablePerson, '$id'>): Promise<void> {
  await callApiOperation(unmuteMemberEndpoint, { personId })
  client.setQueryData(muteQueryKeys.one(personId), false)
  client.setQueryData<string[]>(muteQueryKeys.justMuted, (ids) => ids?.filter((id) => id !== personId))
  void client.invalidateQueries({ queryKey: postQueryKeys.all })
  refreshAfterMuteChange(client)
  toast({ title: en('Unmuted', 'Ya no está silenciada') })
}

function refreshAfterMuteChange(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: muteQueryKeys.list })
  void client.invalidateQueries({ queryKey: chatQueryKeys.conversations })
}
