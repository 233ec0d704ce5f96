/** The query of a conversation's messages, and loading and dropping older pages of it. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listMessagesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { type LoadedMessages, mergeNewestMessages, mergeOlderMessages } from './message-merge.ts'

/** The messages of a conversation. Loads again whenever a thread is opened; what was loaded before stays in sight. */
export const messageListQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatQueryKeys.messages(conversationId),
    queryFn: async ({ client, signal, queryKey }): Promise<LoadedMessages> => {
      const newest = await callApiOperation(listMessagesEndpoint, { conversationId }, signal)
      return mergeNewestMessages(client.getQueryData(queryKey), newest)
    },
    staleTime: 0,
    refetchOnMount: 'always',
    // message-merge.ts keeps unchanged messages; comparing thousands with each new one would take longer than all else.
    structuralSharing: false,
  })

/**
 * Loads the page before the oldest message.
 * @param before the oldest message on the screen: one that has arrived but is not rendered yet must not be skipped
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

/**
 * Above this number of loaded messages, all but the newest `keptMessages` are dropped; scrolling up loads them again.
 */
const maxLoadedMessages = 400
const keptMessages = 100

/** Drops older messages once the reader is back at the end, so that a long thread is as light as one just opened. */
export function trimOlderMessages(queryClient: QueryClient, conversationId: string): void {
  queryClient.setQueryData<LoadedMessages>(chatQueryKeys.messages(conversationId), (loaded) =>
    loaded && loaded.messages.length > maxLoadedMessages
      ? { ...loaded, messages: loaded.messages.slice(-keptMessages), hasOlder: true }
      : loaded,
  )
}
