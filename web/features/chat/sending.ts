/** The outbox of the member who is here, joined to what the screens show. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { sendMessage } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { useMe } from '#web/features/account/queries.ts'
import { toast } from '#web/ui/toast-store.ts'
import { draftKey, draftOf, restoreDraft, withdrawDraft, writeDraft } from './drafts.ts'
import { learnMessage } from './live-messages.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { type Outgoing, outgoingStore } from './outgoing.ts'
import { chatKeys } from './queries.ts'

/** One for each life of the member layout, which is what the query client stands for. */
const outboxes = new WeakMap<QueryClient, Outbox>()

export function outboxOf(queryClient: QueryClient, account: string): Outbox {
  const before = outboxes.get(queryClient)
  if (before) return before
  const outbox = createOutbox({
    store: outgoingStore(account),
    name: `juntas:outbox:${account}`,
    isOnline: () => navigator.onLine,
    deliver: ({ id, conversationId, content }) =>
      call(sendMessage, { conversationId, messageId: id, content, type: 'text' }),
    stored(message) {
      learnMessage(queryClient, message)
      void queryClient.invalidateQueries({ queryKey: chatKeys.conversations })
    },
    failed({ conversationId, content }) {
      restoreDraft(draftKey(account, conversationId), content)
      toast({ title: 'Error', text: 'Failed to send message. Please try again.', kind: 'destructive' })
    },
    recovered: ({ conversationId, content }) => withdrawDraft(draftKey(account, conversationId), content),
  })
  outboxes.set(queryClient, outbox)
  return outbox
}

export function closeOutbox(queryClient: QueryClient): void {
  outboxes.get(queryClient)?.close()
  outboxes.delete(queryClient)
}

/** What one conversation has on its way, and what can be done about it. */
export function useSending(conversationId: string) {
  const { accountId } = useMe()
  const outbox = outboxOf(useQueryClient(), accountId)
  const draft = draftKey(accountId, conversationId)
  const all = useSyncExternalStore(outbox.onChange, outbox.all)
  const outgoing = useMemo(
    () => all.filter((message) => message.conversationId === conversationId),
    [all, conversationId],
  )
  // The same functions from one render to the next, or every line of the thread would be drawn again.
  const ofOne = useMemo(
    () => ({
      sendAgain({ id, content }: Outgoing) {
        withdrawDraft(draft, content)
        outbox.send(conversationId, content, id)
      },
      discard({ id, content }: Outgoing) {
        withdrawDraft(draft, content)
        outbox.discard(id)
      },
    }),
    [outbox, draft, conversationId],
  )
  return {
    outgoing,
    sending: outgoing.some(({ state }) => state === 'sending'),
    /** Box and failed bubble are one draft: sending either consumes both (conflict C-18). */
    sendBox() {
      const content = draftOf(draft).trim()
      if (!content) return
      const failed = outgoing.filter(({ state }) => state === 'failed')
      for (const { id } of failed.slice(1)) outbox.discard(id)
      writeDraft(draft, '')
      outbox.send(conversationId, content, failed[0]?.id)
    },
    ...ofOne,
  }
}
