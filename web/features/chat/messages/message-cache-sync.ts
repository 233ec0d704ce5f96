import type { QueryClient } from '@tanstack/react-query'
import type { Message } from '#contract/chat/messages.ts'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { messageListQuery } from './message-list-query.ts'
import { isMessageOrderAmbiguous, type LoadedMessages, mergeMessage } from './message-merge.ts'

/** @param arrived called for each message, also for the member's own whose response was lost */
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

export function cacheMessage(queryClient: QueryClient, message: Message): void {
  const query = messageListQuery(message.conversationId)
  const loaded = queryClient.getQueryData<LoadedMessages>(query.queryKey)
  if (loaded) {
    if (isMessageOrderAmbiguous(loaded, message))
      void queryClient.invalidateQueries({ queryKey: query.queryKey })
    queryClient.setQueryData<LoadedMessages>(query.queryKey, mergeMessage(loaded, message))
  } else if (queryClient.isFetching({ queryKey: query.queryKey, exact: true })) {
    // A request that is already running may return without this message.
    queryClient.fetchQuery(query).then(
      () => cacheMessage(queryClient, message),
      () => {},
    )
  }
}

/** Messages may be missing after the newest loaded one. */
export function markMessageListsStale(queryClient: QueryClient): void {
  queryClient.setQueriesData<LoadedMessages>(
    { queryKey: chatQueryKeys.allMessages },
    (loaded) => loaded && { ...loaded, gapAfter: loaded.gapAfter ?? loaded.messages.at(-1)?.$id ?? '' },
  )
}
