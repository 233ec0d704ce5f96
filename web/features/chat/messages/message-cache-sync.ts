import type { QueryClient } from '@tanstack/react-query'
import type { Message } from '#contract/chat/messages.ts'
import type { CollectionChange } from '#contract/realtime.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { isMessageOrderAmbiguous, type MessageThread, mergeMessageIntoThread } from './thread-merge.ts'
import { messageThreadQuery } from './thread-queries.ts'

/**
 * Writes message changes from the socket into the threads that are loaded.
 * @param arrived called with each message after its thread: it may be one whose answer was lost
 */
export function applyMessageChangesToCache(
  queryClient: QueryClient,
  changes: readonly CollectionChange[],
  arrived: (message: Message) => void,
): void {
  for (const { collection, kind, document } of changes) {
    if (collection !== 'messages' || kind === 'delete') continue
    cacheMessage(queryClient, document)
    arrived(document)
  }
}

/** Writes a message into its thread: one from the socket, or the answer to sending it. */
export function cacheMessage(queryClient: QueryClient, message: Message): void {
  const query = messageThreadQuery(message.conversationId)
  const thread = queryClient.getQueryData<MessageThread>(query.queryKey)
  if (thread) {
    if (isMessageOrderAmbiguous(thread, message))
      void queryClient.invalidateQueries({ queryKey: query.queryKey })
    queryClient.setQueryData<MessageThread>(query.queryKey, mergeMessageIntoThread(thread, message))
  } else if (queryClient.isFetching({ queryKey: query.queryKey, exact: true })) {
    // The first answer may have been written before this message.
    queryClient.fetchQuery(query).then(
      () => cacheMessage(queryClient, message),
      () => {},
    )
  }
}

/** Marks threads as possibly having a gap after their newest message. */
export function markThreadsStale(queryClient: QueryClient): void {
  queryClient.setQueriesData<MessageThread>(
    { queryKey: chatQueryKeys.allMessages },
    (thread) => thread && { ...thread, gapAfter: thread.gapAfter ?? thread.messages.at(-1)?.$id ?? '' },
  )
}
