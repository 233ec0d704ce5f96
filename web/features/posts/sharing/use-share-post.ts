import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { openConversationEndpoint, sendMessageEndpoint } from '#contract/generated-endpoints.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { callApiOperation } from '#web/api/client.ts'
import { generateDocumentId } from '#web/api/ids.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'

/** A retry reuses the message ids, so nobody receives the post twice. */
export function useSharePost(postId: string) {
  const queryClient = useQueryClient()
  const [sending, setSending] = useState(false)
  const ids = useRef(new Map<string, string>())
  async function send(people: readonly PersonSummary[], words: string): Promise<PersonSummary[]> {
    setSending(true)
    const failed: PersonSummary[] = []
    for (const person of people) {
      const key = `${person.$id} ${words}`
      const messageId = ids.current.get(key) ?? generateDocumentId()
      ids.current.set(key, messageId)
      try {
        const { $id: conversationId } = await callApiOperation(openConversationEndpoint, {
          personId: person.$id,
        })
        await callApiOperation(sendMessageEndpoint, {
          conversationId,
          messageId,
          content: words,
          sharedPostId: postId,
        })
        void queryClient.invalidateQueries({ queryKey: chatQueryKeys.messages(conversationId) })
      } catch {
        failed.push(person)
      }
    }
    void queryClient.invalidateQueries({ queryKey: chatQueryKeys.conversations })
    setSending(false)
    return failed
  }
  return { sending, send }
}
