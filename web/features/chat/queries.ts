/** Keys, queries and mutations of the chat (spec §7 Conversations, Messages). */

import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Conversation } from '#contract/chat.ts'
import type { Person } from '#contract/people.ts'
import {
  countUnread,
  getConversation,
  listConversations,
  listMessages,
  openConversation,
  searchPeople,
} from '#contract/routes.ts'
import { call } from '#web/api.ts'
import type { Me } from '#web/features/account/me.ts'
import { meQuery } from '#web/features/account/queries.ts'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'
import { type Thread, withNewest, withOlder } from './thread.ts'

export const chatKeys = {
  list: ['conversations', 'list'] as const,
  one: (conversationId: string) => ['conversations', 'one', conversationId] as const,
  unread: ['conversations', 'unread'] as const,
  /** Everything above. */
  conversations: ['conversations'] as const,
  allMessages: ['messages'] as const,
  messages: (conversationId: string) => ['messages', conversationId] as const,
  search: (term: string) => ['people', 'search', 'chat', term] as const,
}

export const conversationsQuery = queryOptions({
  queryKey: chatKeys.list,
  queryFn: async ({ signal }) => (await call(listConversations, {}, signal)).documents,
})

export const conversationQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatKeys.one(conversationId),
    queryFn: ({ signal }) => call(getConversation, { conversationId }, signal),
  })

/** How many conversations have a dot (row CHAT-30). */
export const unreadQuery = queryOptions({
  queryKey: chatKeys.unread,
  queryFn: async ({ signal }) => (await call(countUnread, {}, signal)).count,
})

/** Always asked for again when a thread is opened (row CMSG-21); what was loaded of it before stays in sight. */
export const threadQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatKeys.messages(conversationId),
    queryFn: async ({ client, signal, queryKey }): Promise<Thread> => {
      const newest = await call(listMessages, { conversationId }, signal)
      return withNewest(client.getQueryData(queryKey), newest)
    },
    staleTime: 0,
    refetchOnMount: 'always',
    // What is the same is kept by thread.ts; to compare thousands of messages with each new one takes longer than all else.
    structuralSharing: false,
  })

/**
 * Puts those before the oldest one above it. @param before the oldest she is shown: what has arrived and is yet to be
 * drawn must not be asked past.
 */
export async function loadOlder(
  queryClient: QueryClient,
  conversationId: string,
  before: string,
): Promise<void> {
  const key = chatKeys.messages(conversationId)
  if (queryClient.getQueryData<Thread>(key)?.messages[0]?.$id !== before) return
  const page = await call(listMessages, { conversationId, before })
  queryClient.setQueryData<Thread>(key, (thread) =>
    thread?.messages[0]?.$id === before ? withOlder(thread, page) : thread,
  )
}

/** Where more than `most` are loaded, those before the newest `kept` are forgotten; scrolling up loads them again. */
const most = 400
const kept = 100

/** For when she is at the end: a thread she has read back through for long is as light again as one just opened. */
export function forgetOlder(queryClient: QueryClient, conversationId: string): void {
  queryClient.setQueryData<Thread>(chatKeys.messages(conversationId), (thread) =>
    thread && thread.messages.length > most
      ? { ...thread, messages: thread.messages.slice(-kept), more: true }
      : thread,
  )
}

/** A search that fails finds nobody, and only the log knows (row CHAT-13). */
export const personSearchQuery = (term: string) =>
  queryOptions({
    queryKey: chatKeys.search(term),
    queryFn: async ({ signal }): Promise<Person[]> => {
      try {
        return (await call(searchPeople, { term, who: 'others' }, signal)).documents
      } catch (error) {
        if (signal.aborted) throw error
        console.error(error)
        return []
      }
    },
    enabled: term !== '',
  })

/** Nobody chats with herself (conflict C-34), and nobody unknown with anyone (row CHAT-28). */
export const canChatWith = (me: Pick<Me, '$id'> | undefined, personId: string): boolean =>
  Boolean(me?.$id) && me?.$id !== personId

/** Finds or makes the conversation with somebody and goes there. */
export function useStartChat() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(meQuery)
  const { mutate, isPending } = useAct({
    mutationFn: (personId: string) => call(openConversation, { personId }),
    onSuccess: (conversation: Conversation) => {
      queryClient.setQueryData(chatKeys.one(conversation.$id), conversation)
      void queryClient.invalidateQueries({ queryKey: chatKeys.list })
      void navigate(paths.pickedConversation(conversation.$id))
    },
    onError: () =>
      toast({
        title: 'Error',
        text: 'Failed to start conversation. Please try again.',
        kind: 'destructive',
      }),
  })
  return {
    starting: isPending,
    start: (personId: string) => !isPending && canChatWith(me, personId) && mutate(personId),
  }
}
