import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listMessagesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { type LoadedMessages, mergeNewestMessages, mergeOlderMessages } from './message-merge.ts'

/** Reloads whenever a thread opens; loaded messages stay visible. */
export const messageListQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatQueryKeys.messages(conversationId),
    queryFn: async ({ client, signal, queryKey }): Promise<LoadedMessages> => {
      const newest = await callApiOperation(listMessagesEndpoint, { conversationId }, signal)
      return mergeNewestMessages(client.getQueryData(queryKey), newest)
    },
    staleTime: 0,
    refetchOnMount: 'always',
    // message-merge.ts keeps unchanged messages; comparing thousands would be slow.
    structuralSharing: false,
  })

/**
 * Loads the page before the oldest message.
 * @param before the oldest rendered message, so that unrendered ones are not skipped
 */
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

/** Above this, only the newest `keptMessages` stay loaded. */
const maxLoadedMessages = 400
const keptMessages = 100

/** Drops older messages once the reader is at the end, to keep long threads fast. */
export function trimOlderMessages(queryClient: QueryClient, conversationId: string): void {
  queryClient.setQueryData<LoadedMessages>(chatQueryKeys.messages(conversationId), (loaded) =>
    loaded && loaded.messages.length > maxLoadedMessages
      ? { ...loaded, messages: loaded.messages.slice(-keptMessages), hasOlder: true }
      : loaded,
  )
}
