import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  blockMemberEndpoint,
  setBlockNewerAccountsEndpoint,
  unblockMemberEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { MemberBlock } from '#contract/people/blocks.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { blockQueryKeys, chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { purgeMemberFromCache } from './purge-member-from-cache.ts'

type BlockedPerson = { $id: string; name: string }

const failed = () =>
  toast({
    title: en('Error', 'Error'),
    text: genericErrorMessage,
    kind: 'destructive',
  })

export function useBlockMember(person: BlockedPerson, onBlocked: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (removeFrom: string[]) =>
      callApiOperation(blockMemberEndpoint, { personId: person.$id, removeFrom }),
    onSuccess: () => {
      onBlocked()
      purgeMemberFromCache(client, person.$id)
      void client.invalidateQueries({ queryKey: blockQueryKeys.list })
      void client.invalidateQueries({ queryKey: chatQueryKeys.conversations })
      toast({
        title: en('Blocked', 'Bloqueada'),
        text: en(`You won’t see ${person.name} any more.`, `Ya no verás a ${person.name}.`),
        action: { label: en('Undo', 'Deshacer'), run: () => void unblock(client, person).catch(failed) },
      })
    },
  })
}

/** Reloads everything, because only the server knows what becomes visible. */
async function unblock(client: QueryClient, person: Pick<BlockedPerson, '$id'>) {
  await callApiOperation(unblockMemberEndpoint, { personId: person.$id })
  await client.invalidateQueries()
  toast({ title: en('Unblocked', 'Desbloqueada') })
}

export function useUnblockMember(person: Pick<BlockedPerson, '$id'>, onUnblocked: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => unblock(client, person),
    onSuccess: onUnblocked,
    onError: () => {
      onUnblocked()
      failed()
    },
  })
}

/** The change is optimistic; a failure rolls it back. */
export function useToggleBlockNewerAccounts({ $id: blockId }: Pick<MemberBlock, '$id'>) {
  const client = useQueryClient()
  const show = (newerAccounts: boolean) =>
    client.setQueryData<InfiniteData<{ documents: MemberBlock[]; next: string | null }>>(
      blockQueryKeys.list,
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            documents: page.documents.map((block) =>
              block.$id === blockId ? { ...block, newerAccounts } : block,
            ),
          })),
        },
    )
  return useMutation({
    mutationFn: (newerAccounts: boolean) =>
      callApiOperation(setBlockNewerAccountsEndpoint, { blockId, newerAccounts }),
    onMutate: show,
    onError: (error, newerAccounts) => {
      show(!newerAccounts)
      if (error instanceof ApiError && error.code === 404)
        void client.invalidateQueries({ queryKey: blockQueryKeys.list })
      failed()
    },
  })
}
