import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ReactionEmoji } from '#contract/chat/messages.ts'
import { reactEndpoint, unreactEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { messageListQuery } from '../messages/message-list-query.ts'
import type { LoadedMessages } from '../messages/message-merge.ts'
import { findOwnReaction, withOwnReaction } from './own-reaction.ts'

export type ToggleReaction = (messageId: string, emoji: ReactionEmoji) => void

/**
 * The reaction appears immediately and is rolled back if the last request fails. Requests run one after another.
 * Stable, because every bubble receives it.
 */
export function useToggleReaction(conversationId: string): ToggleReaction {
  const queryClient = useQueryClient()
  const me = useSignedInMember().$id
  const { mutate } = useMutation({
    scope: { id: `reactions ${conversationId}` },
    mutationFn: ({
      messageId,
      emoji,
    }: {
      messageId: string
      emoji: ReactionEmoji | null
      before: ReactionEmoji | null
    }) =>
      emoji === null
        ? callApiOperation(unreactEndpoint, { messageId })
        : callApiOperation(reactEndpoint, { messageId, emoji }),
    onError: (_error, { messageId, emoji, before }) => {
      if (ownOf(messageId) === emoji) show(messageId, before)
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    },
  })

  const { queryKey } = messageListQuery(conversationId)
  const ownOf = (messageId: string) =>
    findOwnReaction(
      queryClient.getQueryData<LoadedMessages>(queryKey)?.messages.find(({ $id }) => $id === messageId)
        ?.reactions ?? [],
      me,
    )
  const show = (messageId: string, emoji: ReactionEmoji | null) =>
    queryClient.setQueryData<LoadedMessages>(
      queryKey,
      (loaded) =>
        loaded && {
          ...loaded,
          messages: loaded.messages.map((message) =>
            message.$id === messageId
              ? { ...message, reactions: withOwnReaction(message.reactions, me, emoji) }
              : message,
          ),
        },
    )

  // biome-ignore lint/correctness/useExhaustiveDependencies: `ownOf` and `show` depend only on the listed values
  return useCallback(
    (messageId, chosen) => {
      const before = ownOf(messageId)
      const emoji = before === chosen ? null : chosen
      show(messageId, emoji)
      mutate({ messageId, emoji, before })
    },
    [queryClient, conversationId, me, mutate],
  )
}
