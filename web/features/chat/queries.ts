/** Queries of conversations, and starting one. */

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Conversation } from '#contract/chat.ts'
import {
  countUnreadConversationsEndpoint,
  getConversationEndpoint,
  listConversationsEndpoint,
  openConversationEndpoint,
  searchPeopleEndpoint,
} from '#contract/generated-endpoints.ts'
import type { Person } from '#contract/people.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys, peopleQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-mutation.ts'
import type { SignedInMember } from '#web/features/account/signed-in-member.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

export const conversationsQuery = queryOptions({
  queryKey: chatQueryKeys.list,
  queryFn: async ({ signal }) => (await callApiOperation(listConversationsEndpoint, {}, signal)).documents,
})

export const conversationQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatQueryKeys.one(conversationId),
    queryFn: ({ signal }) => callApiOperation(getConversationEndpoint, { conversationId }, signal),
  })

/** The number of conversations with unread messages. */
export const unreadConversationCountQuery = queryOptions({
  queryKey: chatQueryKeys.unread,
  queryFn: async ({ signal }) => (await callApiOperation(countUnreadConversationsEndpoint, {}, signal)).count,
})

/** Finds people by name to whom the member may write. A failed search finds nobody and is only logged. */
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

/** Says whether the member may chat with that person: never with themselves, and not before the member is known. */
export const canChatWith = (me: Pick<SignedInMember, '$id'> | undefined, personId: string): boolean =>
  Boolean(me?.$id) && me?.$id !== personId

/** Finds or creates the conversation with a person and navigates to it. */
export function useStartChat() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(signedInMemberQuery)
  const { mutate, isPending } = useSingleFlightMutation({
    mutationFn: (personId: string) => callApiOperation(openConversationEndpoint, { personId }),
    onSuccess: (conversation: Conversation) => {
      queryClient.setQueryData(chatQueryKeys.one(conversation.$id), conversation)
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.list })
      void navigate(screenPaths.pickedConversation(conversation.$id))
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
