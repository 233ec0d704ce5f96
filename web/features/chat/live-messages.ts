import type { QueryClient } from '@tanstack/react-query'
import type { Message } from '#contract/chat.ts'
import type { Changed } from '#contract/live.ts'
import { chatKeys, threadQuery } from './queries.ts'
import { isOrderUnsure, type Thread, withMessage } from './thread.ts'

/**
 * Puts what the socket tells of messages into the threads that are loaded (rows RT-03, RT-04).
 * @param arrived hears of each, after its thread: it may be one of hers whose answer was lost
 */
export function applyMessages(
  queryClient: QueryClient,
  changes: readonly Changed[],
  arrived: (message: Message) => void,
): void {
  for (const { collection, kind, document } of changes) {
    if (collection !== 'messages' || kind === 'delete') continue
    const message = toMessage(document)
    learnMessage(queryClient, message)
    arrived(message)
  }
}

/** A message that the socket told, or the answer to sending it. */
export function learnMessage(queryClient: QueryClient, message: Message): void {
  const query = threadQuery(message.conversationId)
  const thread = queryClient.getQueryData<Thread>(query.queryKey)
  if (thread) {
    if (isOrderUnsure(thread, message)) void queryClient.invalidateQueries({ queryKey: query.queryKey })
    queryClient.setQueryData<Thread>(query.queryKey, withMessage(thread, message))
  } else if (queryClient.isFetching({ queryKey: query.queryKey, exact: true })) {
    // The first answer is on its way, and may have been written before this message was.
    queryClient.fetchQuery(query).then(
      () => learnMessage(queryClient, message),
      () => {},
    )
  }
}

/** Changes may have been missed and will not be told: what comes next need not follow on what is loaded. */
export function tearThreads(queryClient: QueryClient): void {
  queryClient.setQueriesData<Thread>(
    { queryKey: chatKeys.allMessages },
    (thread) => thread && { ...thread, torn: thread.torn ?? thread.messages.at(-1)?.$id ?? '' },
  )
}

/** The document without what the dialect adds to it. */
function toMessage(document: Changed['document']): Message {
  const { $id, $createdAt, conversationId, senderId, content, type, readBy } = document as Message &
    typeof document
  return { $id, $createdAt, conversationId, senderId, content, type, readBy }
}
