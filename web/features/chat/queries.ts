import { queryOptions } from '@tanstack/react-query'
import {
  countUnreadConversationsEndpoint,
  getConversationEndpoint,
  listConversationsEndpoint,
  searchPeopleEndpoint,
} from '#contract/generated-endpoints.ts'
import type { Person } from '#contract/people/people.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys, peopleQueryKeys } from '#web/api/query-keys.ts'

export const conversationsQuery = queryOptions({
  queryKey: chatQueryKeys.list,
  queryFn: async ({ signal }) => (await callApiOperation(listConversationsEndpoint, {}, signal)).documents,
})

export const conversationQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatQueryKeys.one(conversationId),
    queryFn: ({ signal }) => callApiOperation(getConversationEndpoint, { conversationId }, signal),
  })

export const unreadConversationCountQuery = queryOptions({
  queryKey: chatQueryKeys.unread,
  queryFn: async ({ signal }) => (await callApiOperation(countUnreadConversationsEndpoint, {}, signal)).count,
})

/** If the search fails, logs the error and returns nobody. */
export const chatPersonSearchQuery = (term: string) =>
  queryOptions({
    queryKey: peopleQueryKeys.search(term),
    queryFn: async ({ signal }): Promise<Person[]> => {
      try {
        return (
          await callApiOperation(searchPeopleEndpoint, { term, who: 'others' }, signal)
        ).documents.filter(({ can }) => can.write)
      } catch (error) {
        if (signal.aborted) throw error
        console.error(error)
        return []
      }
    },
    enabled: term !== '',
  })
