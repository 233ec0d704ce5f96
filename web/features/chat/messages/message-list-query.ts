import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listMessagesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { type LoadedMessages, mergeNewestMessages, mergeOlderMessages } from './message-merge.ts'

export const messageListQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatQueryKeys.messages(conversationId),
    queryFn: async ({ client, signal, queryKey }): Promise<LoadedMessages> => {
      const newest = await callApiOperation(listMessagesEndpoint, { conversationId }, signal)
      return mergeNewestMessages(client.getQueryData(queryKey), newest)
    },
    staleTime: 0,
    refetchOnMount: 'always',
    // message-merge.ts already keeps unchanged messages; comparing thousands again would be slow.
    structuralSharing: false,
  })

/** @param before the oldest rendered message's id; later ones are not rendered yet and must not be skipped */
export async function loadOlderMessages(
  queryClient: QueryClient,
  conversationId: string,
  before: string,
): Promise<void> {
  const key = chatQueryKeys.messages(conversationId)
  if (queryClient.getQueryData<LoadedMessages>(key)?.messages[0]?.$id !== before) return
  const page = await callApiOperation(listMessagesEndpoint, { conversationId, before })
  queryClient.setQueryData<LoadedMessages>(key, (loaded) =>
    loaded?.messages[0]?.$id === before ? mergeOlderMessages(loaded, page) : loaded,
  )
}

const maxLoadedMessages = 400
const keptMessages = 100

/** Keeps only the newest messages, so that long conversations stay fast. */
export function trimOlderMessages(queryClient: QueryClient, conversationId: string): void {
  queryClient.setQueryData<LoadedMessages>(chatQueryKeys.messages(conversationId), (loaded) =>
    loaded && loaded.messages.length > maxLoadedMessages
      ? { ...loaded, messages: loaded.messages.slice(-keptMessages), hasOlder: true }
      : loaded,
  )
}
