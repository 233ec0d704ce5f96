import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { sendMessageEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { discardUpload } from '#web/api/upload.ts'
import { uploadPhotosAndSend } from '#web/api/upload-photos-and-send.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { emitContentSent } from '#web/features/offline/install/content-sent-event.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { readMessageDraftPhotos, saveMessageDraftPhotos } from '../photos/message-draft-photos.ts'
import { cacheMessage } from './message-cache-sync.ts'
import {
  messageDraftStorageKey,
  readMessageDraft,
  readQuoteDraft,
  removeQuoteDraft,
  removeRestoredMessageDraft,
  restoreMessageDraft,
  saveMessageDraft,
  saveQuoteDraft,
} from './message-drafts.ts'
import {
  createMessageOutbox,
  type MessageOutbox,
  openPendingMessageStore,
  type PendingMessage,
} from './message-outbox.ts'

/** Each member layout has one outbox, identified by the layout's query client. */
const outboxes = new WeakMap<QueryClient, MessageOutbox>()

export function getMessageOutbox(queryClient: QueryClient, account: string): MessageOutbox {
  const before = outboxes.get(queryClient)
  if (before) return before
  const outbox = createMessageOutbox({
    store: openPendingMessageStore(account),
    name: `juntas:outbox:${account}`,
    isOnline: () => navigator.onLine,
    deliver({ id, conversationId, content, replyTo, photos }, keep) {
      const send = (stored?: { imageId: string; alt: string }[]) =>
        callApiOperation(sendMessageEndpoint, {
          conversationId,
          messageId: id,
          content,
          type: 'text',
          ...(replyTo && { replyTo: replyTo.$id }),
          ...(stored && { photos: stored }),
        })
      return photos ? uploadPhotosAndSend(photos, keep, send) : send()
    },
    stored(message) {
      cacheMessage(queryClient, message)
      emitContentSent()
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.conversations })
    },
    failed({ conversationId, content, replyTo, photos }) {
      const key = messageDraftStorageKey(account, conversationId)
      // A message with photos keeps its text in its bubble, not in the draft.
      if (!photos) {
        restoreMessageDraft(key, content)
        if (replyTo && !readQuoteDraft(key)) saveQuoteDraft(key, replyTo)
      }
      toast({
        title: en('Error', 'Error'),
        text: en(
          'Failed to send message. Please try again.',
          'No pudimos enviar el mensaje. Inténtalo de nuevo.',
        ),
        kind: 'destructive',
      })
    },
    recovered({ conversationId, content, replyTo, photos }) {
      if (photos) return
      const key = messageDraftStorageKey(account, conversationId)
      removeRestoredMessageDraft(key, content)
      removeQuoteDraft(key, replyTo)
    },
  })
  outboxes.set(queryClient, outbox)
  return outbox
}

export function closeMessageOutbox(queryClient: QueryClient): void {
  outboxes.get(queryClient)?.close()
  outboxes.delete(queryClient)
}

export function useMessageOutbox(conversationId: string) {
  const { accountId } = useSignedInMember()
  const outbox = getMessageOutbox(useQueryClient(), accountId)
  const draft = messageDraftStorageKey(accountId, conversationId)
  const all = useSyncExternalStore(outbox.onChange, outbox.all)
  const outgoing = useMemo(
    () => all.filter((message) => message.conversationId === conversationId),
    [all, conversationId],
  )
  // The callbacks are stable, so the other messages are not rendered again.
  const ofOne = useMemo(
    () => ({
      sendAgain({ id, content, replyTo, photos }: PendingMessage) {
        if (!photos) {
          removeRestoredMessageDraft(draft, content)
          removeQuoteDraft(draft, replyTo)
        }
        outbox.send(conversationId, content, id, replyTo, photos)
      },
      discard({ id, content, replyTo, photos = [] }: PendingMessage) {
        if (photos.length === 0) {
          removeRestoredMessageDraft(draft, content)
          removeQuoteDraft(draft, replyTo)
        }
        outbox.discard(id)
        for (const { imageId } of photos) if (imageId) void discardUpload(imageId)
      },
    }),
    [outbox, draft, conversationId],
  )
  return {
    outgoing,
    /** Photos may upload while the member sends more messages, which wait for the upload. */
    sending: outgoing.some(({ state, photos }) => state === 'sending' && !photos),
    /** The draft contains the text of failed messages, so sending it replaces them. */
    sendBox() {
      const content = readMessageDraft(draft).trim()
      const photos = readMessageDraftPhotos(draft).map(({ file, alt }) => ({ file, alt: alt.trim() }))
      if (!content && photos.length === 0) return
      const failed = outgoing.filter((message) => message.state === 'failed' && !message.photos)
      for (const { id } of failed.slice(1)) outbox.discard(id)
      const replyTo = readQuoteDraft(draft)
      saveMessageDraft(draft, '')
      saveQuoteDraft(draft, undefined)
      saveMessageDraftPhotos(draft, [])
      outbox.send(conversationId, content, failed[0]?.id, replyTo, photos)
    },
    ...ofOne,
  }
}
