/** Connects the member's outbox to drafts, cache and toasts. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { sendMessageEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { cacheMessage } from './message-cache-sync.ts'
import {
  messageDraftStorageKey,
  readMessageDraft,
  removeRestoredMessageDraft,
  restoreMessageDraft,
  saveMessageDraft,
} from './message-drafts.ts'
import { createMessageOutbox, type MessageOutbox } from './message-outbox.ts'
import { openPendingMessageStore, type PendingMessage } from './pending-message-store.ts'

/** One outbox per member layout, which the query client stands for. */
const outboxes = new WeakMap<QueryClient, MessageOutbox>()

export function getMessageOutbox(queryClient: QueryClient, account: string): MessageOutbox {
  const before = outboxes.get(queryClient)
  if (before) return before
  const outbox = createMessageOutbox({
    store: openPendingMessageStore(account),
    name: `juntas:outbox:${account}`,
    isOnline: () => navigator.onLine,
    deliver: ({ id, conversationId, content }) =>
      callApiOperation(sendMessageEndpoint, { conversationId, messageId: id, content, type: 'text' }),
    stored(message) {
      cacheMessage(queryClient, message)
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.conversations })
    },
    failed({ conversationId, content }) {
      restoreMessageDraft(messageDraftStorageKey(account, conversationId), content)
      toast({ title: 'Error', text: 'Failed to send message. Please try again.', kind: 'destructive' })
    },
    recovered: ({ conversationId, content }) =>
      removeRestoredMessageDraft(messageDraftStorageKey(account, conversationId), content),
  })
  outboxes.set(queryClient, outbox)
  return outbox
}

export function closeMessageOutbox(queryClient: QueryClient): void {
  outboxes.get(queryClient)?.close()
  outboxes.delete(queryClient)
}

/** Returns a conversation's unsent messages and what can be done with them. */
export function useMessageOutbox(conversationId: string) {
  const { accountId } = useSignedInMember()
  const outbox = getMessageOutbox(useQueryClient(), accountId)
  const draft = messageDraftStorageKey(accountId, conversationId)
  const all = useSyncExternalStore(outbox.onChange, outbox.all)
  const outgoing = useMemo(
    () => all.filter((message) => message.conversationId === conversationId),
    [all, conversationId],
  )
  // Stable functions: otherwise every message of the thread would render again.
  const ofOne = useMemo(
    () => ({
      sendAgain({ id, content }: PendingMessage) {
        removeRestoredMessageDraft(draft, content)
        outbox.send(conversationId, content, id)
      },
      discard({ id, content }: PendingMessage) {
        removeRestoredMessageDraft(draft, content)
        outbox.discard(id)
      },
    }),
    [outbox, draft, conversationId],
  )
  return {
    outgoing,
    sending: outgoing.some(({ state }) => state === 'sending'),
    /** Sends the draft. Composer and failed bubble are one draft: sending either consumes both. */
    sendBox() {
      const content = readMessageDraft(draft).trim()
      if (!content) return
      const failed = outgoing.filter(({ state }) => state === 'failed')
      for (const { id } of failed.slice(1)) outbox.discard(id)
      saveMessageDraft(draft, '')
      outbox.send(conversationId, content, failed[0]?.id)
    },
    ...ofOne,
  }
}
