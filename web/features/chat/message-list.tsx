import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { isQueryLoading } from '#web/api/query-status-predicates.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { openReport } from '#web/features/moderation/report-dialog/open-report.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'
import { MessageBubble, type MessageBubbleProps } from './message-bubble.tsx'
import { messageDraftStorageKey, saveQuoteDraft } from './messages/message-drafts.ts'
import { groupMessagesByDayAndSender } from './messages/message-grouping.ts'
import { loadOlderMessages, trimOlderMessages } from './messages/message-list-query.ts'
import type { LoadedMessages } from './messages/message-merge.ts'
import type { PendingMessage } from './messages/message-outbox.ts'
import { NewMessageAnnouncer } from './new-message-announcer.tsx'
import { useMessageOptions } from './options/use-message-options.tsx'
import { messagePreviewText } from './photos/message-preview-text.ts'
import { useMessagePhotoViewer } from './photos/use-message-photo-viewer.tsx'
import { findOwnReaction } from './reactions/own-reaction.ts'
import { useToggleReaction } from './reactions/use-toggle-reaction.ts'
import { TypingIndicator } from './typing/typing-indicator.tsx'
import { useMarkMessagesRead } from './use-mark-messages-read.ts'
import { useMessageListScroll } from './use-message-list-scroll.ts'

type Props = {
  conversationId: string
  other: PersonSummary | undefined
  query: UseQueryResult<LoadedMessages>
  quiet: boolean
  plainText: boolean
  /** Cards may contain photos, which unaccepted requests must not show. */
  hidesCards: boolean
  outgoing: readonly PendingMessage[]
  mayWrite: boolean
  /** False in a message request and for a stranger who waits for an answer. */
  mayReact: boolean
  onTryAgain: (outgoing: PendingMessage) => void
  onDiscard: (outgoing: PendingMessage) => void
}

const skeletonBubbles = ['w-2/5', 'w-1/2', 'w-1/3 self-end', 'w-[45%]', 'w-[55%] self-end', 'w-1/4 self-end']

export function MessageList(props: Props) {
  const { conversationId, other, query, quiet, plainText, hidesCards, outgoing } = props
  const { mayWrite, onTryAgain, onDiscard } = props
  const me = useSignedInMember().$id
  const loaded = query.data
  const shown = useMemo(() => loaded && withOutgoing(loaded, outgoing, me), [loaded, outgoing, me])
  const older = useOlder(conversationId, loaded?.hasOlder ? loaded.messages[0]?.$id : undefined)
  const lines = useMemo(
    () => shown?.map(({ $id, senderId }) => ({ $id, mine: senderId === me })) ?? null,
    [shown, me],
  )
  const today = new Date().toDateString()
  const placed = useMemo(() => shown && groupMessagesByDayAndSender(shown, new Date(today)), [shown, today])
  const scroll = useMessageListScroll({ lines, onNearTop: older.load, onFollow: older.forget })
  useMarkMessagesRead(
    conversationId,
    loaded?.messages ?? [],
    me,
    !quiet && scroll.placed && scroll.unseen === 0,
  )

  const reportMessage = useReportMessage(loaded, other, me)
  const messages = loaded?.messages
  const draft = messageDraftStorageKey(useSignedInMember().accountId, conversationId)
  const reply = useReply(messages, draft)
  const react = useToggleReaction(conversationId)
  const mayReact = mayWrite && props.mayReact
  const options = useMessageOptions((messageId) => {
    const message = messages?.find(({ $id }) => $id === messageId)
    const mine = message?.senderId === me
    return {
      ...(mayReact && {
        react: {
          own: findOwnReaction(message?.reactions ?? [], me),
          choose: (emoji) => react(messageId, emoji),
        },
      }),
      ...(message?.content && { copy: () => copyText(message.content) }),
      ...(mayWrite && { reply: () => reply(messageId) }),
      ...(!mine && { report: () => reportMessage(messageId) }),
      mayUnsend: mayWrite && mine && Date.now() - Date.parse(message.$createdAt) < unsendableMs,
    }
  })
  const [marked, goTo] = useGoTo(conversationId, loaded)
  useWantedMessage(scroll.placed, goTo)
  const openPhoto = useMessagePhotoViewer(messages ?? [], (senderId) =>
    senderId === me ? 'you' : (other?.name ?? ''),
  )

  return (
    <div className="relative min-h-0 flex-1 print:block">
      <div
        ref={scroll.box}
        onScroll={scroll.onScroll}
        className="absolute inset-0 flex flex-col overflow-x-hidden overflow-y-auto overscroll-contain px-3 pt-3 pb-2 [overflow-anchor:none] md:px-4 md:pt-6 lg:px-[clamp(16px,5vw,64px)] md:pb-4 print:static print:overflow-visible"
      >
        {!placed ? (
          <NothingYet query={query} />
        ) : placed.length === 0 ? (
          <p className="m-auto px-6 text-center text-text-2">
            {en(
              'No messages yet. Start the conversation!',
              'Todavía no hay mensajes. ¡Empieza la conversación!',
            )}
          </p>
        ) : (
          <>
            {older.state === 'loading' && (
              <Spinner className="mx-auto my-2 size-[22px] flex-none border-border border-t-brand" />
            )}
            {older.state === 'failed' && (
              <Button
                kind="outline"
                size="sm"
                className="mx-auto my-2 size-[22px] flex-none border-border border-t-brand"
                onClick={older.retry}
              >
                {en('Try again', 'Volver a intentar')}
              </Button>
            )}
            <ol
              aria-label={en(`Messages with ${other?.name ?? ''}`, `Mensajes con ${other?.name ?? ''}`)}
              className={cx('mt-auto flex flex-col', !scroll.placed && 'opacity-0')}
            >
              {placed.map(({ message, day, first, last }) => (
                <MessageBubble
                  key={message.$id}
                  {...{
                    message,
                    me,
                    other,
                    plainText,
                    hidesCards,
                    day,
                    first,
                    last,
                    onTryAgain,
                    onDiscard,
                    marked: message.$id === marked,
                    onOptions: options.open,
                    onReact: mayReact ? react : undefined,
                    onReply: mayWrite ? reply : undefined,
                    onGoTo: goTo,
                  }}
                />
              ))}
            </ol>
          </>
        )}
        {loaded && other && (
          <TypingIndicator
            conversationId={conversationId}
            other={other}
            messages={loaded.messages}
            onShown={scroll.keepEnd}
          />
        )}
      </div>
      {scroll.unseen > 0 && (
        <Button
          kind="outline"
          onClick={scroll.goToEnd}
          className="absolute inset-x-0 bottom-4 mx-auto w-fit animate-rise bg-surface shadow-float"
        >
          {scroll.unseen === 1
            ? en('New messages', 'Mensajes nuevos')
            : en(`${scroll.unseen} new messages`, `${scroll.unseen} mensajes nuevos`)}
          <ArrowDown aria-hidden size={18} strokeWidth={2} />
        </Button>
      )}
      {openPhoto}
      {options.menu}
      {loaded && other && <NewMessageAnnouncer messages={loaded.messages} other={other} />}
    </div>
  )
}

const copyText = (text: string) =>
  navigator.clipboard.writeText(text).catch(() =>
    toast({
      title: en('Error', 'Error'),
      text: genericErrorMessage,
      kind: 'destructive',
    }),
  )

const unsendableMs = 24 * 60 * 60_000

/** The function is stable, because every bubble receives it. */
function useReply(messages: readonly Message[] | undefined, draft: string) {
  const latest = useRef(messages)
  latest.current = messages
  return useCallback(
    (messageId: string) => {
      const message = latest.current?.find(({ $id }) => $id === messageId)
      if (!message) return
      const { $id, senderId } = message
      saveQuoteDraft(draft, { $id, senderId, content: messagePreviewText(message).slice(0, maxQuoted) })
      // The menu must return its focus first.
      void waitForNextPaint().then(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
    },
    [draft],
  )
}

const maxQuoted = 120

/** Scrolls to the search result that the member followed, once for each click. */
function useWantedMessage(placed: boolean, goTo: (messageId: string) => Promise<void>) {
  const { key, state } = useLocation()
  const wanted = (state as { message?: unknown } | null)?.message
  const latest = useRef(goTo)
  latest.current = goTo
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same search result again changes `key` and must scroll again
  useEffect(() => {
    if (placed && typeof wanted === 'string') void latest.current(wanted)
  }, [placed, wanted, key])
}

/** How many pages to load for a quoted message, and how long (ms) to highlight it. */
const maxPagesBack = 40
const markedMs = 1600

function useGoTo(conversationId: string, loaded: LoadedMessages | undefined) {
  const queryClient = useQueryClient()
  const [marked, setMarked] = useState<string>()
  const latest = useRef(loaded)
  latest.current = loaded
  const goTo = useCallback(
    async (messageId: string) => {
      const has = () => latest.current?.messages.some(({ $id }) => $id === messageId)
      try {
        for (let page = 0; page < maxPagesBack && !has() && latest.current?.hasOlder; page += 1) {
          const oldest = latest.current.messages[0]?.$id ?? ''
          await loadOlderMessages(queryClient, conversationId, oldest)
          await waitForNextPaint()
        }
      } catch {
        toast({
          title: en('Error', 'Error'),
          text: genericErrorMessage,
          kind: 'destructive',
        })
      }
      const element = document.querySelector<HTMLElement>(`[data-message="${messageId}"]`)
      if (!element) return
      element.scrollIntoView({ block: 'center' })
      element.focus({ preventScroll: true })
      setMarked(messageId)
      setTimeout(() => setMarked((now) => (now === messageId ? undefined : now)), markedMs)
    },
    [queryClient, conversationId],
  )
  return [marked, goTo] as const
}

/** The reporter can add this many messages before and after the reported one. */
const reportedAround = 20

/** The function is stable, because every bubble receives it. */
function useReportMessage(loaded: LoadedMessages | undefined, other: PersonSummary | undefined, me: string) {
  const latest = useRef<(messageId: string) => void>(() => {})
  latest.current = (messageId) => {
    const messages = loaded?.messages ?? []
    const at = messages.findIndex(({ $id }) => $id === messageId)
    if (at < 0) return
    void openReport({
      kind: 'message',
      id: messageId,
      person: other && { $id: other.$id, name: other.name },
      messages: messages
        .slice(Math.max(0, at - reportedAround), at + reportedAround + 1)
        .filter(({ unsentAt }) => unsentAt === null)
        .map(({ $id, content, photos, $createdAt, senderId }) => ({
          $id,
          content: messagePreviewText({ content, photos }),
          at: $createdAt,
          mine: senderId === me,
        })),
    })
  }
  return useCallback((messageId: string) => latest.current(messageId), [])
}

function NothingYet({ query }: { query: UseQueryResult<LoadedMessages> }) {
  if (!isQueryLoading(query))
    return <ErrorState text={en('We couldn’t load this.', 'No pudimos cargarlo.')} onRetry={query.refetch} />
  return (
    <div className="mt-auto">
      <SkeletonRegion>
        <div className="flex flex-col gap-3">
          {skeletonBubbles.map((place) => (
            <Skeleton key={place} className={cx('h-10 rounded-card-small', place)} />
          ))}
        </div>
      </SkeletonRegion>
    </div>
  )
}

/** Unsent messages are never dated before the newest stored message. */
function withOutgoing(
  { messages }: LoadedMessages,
  outgoing: readonly PendingMessage[],
  me: string,
): MessageBubbleProps[] {
  const stored = new Set(messages.map(({ $id }) => $id))
  const newest = Date.parse(messages.at(-1)?.$createdAt ?? '') || 0
  const waiting = outgoing
    .filter(({ id }) => !stored.has(id))
    .map((message) => ({
      $id: message.id,
      $createdAt: new Date(Math.max(message.at, newest)).toISOString(),
      senderId: me,
      content: message.content,
      photos: [],
      shared: null,
      readBy: [],
      replyTo: message.replyTo ? { ...message.replyTo, unsent: false } : null,
      reactions: [],
      unsentAt: null,
      outgoing: message,
    }))
  return [...messages, ...waiting]
}

/**
 * After a failure, loads older messages only when the reader asks.
 * @param oldest the oldest loaded message's id; undefined at the start of the conversation
 */
function useOlder(conversationId: string, oldest: string | undefined) {
  const queryClient = useQueryClient()
  const busy = useRef(false)
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const retry = useCallback(async () => {
    if (busy.current || !oldest) return
    busy.current = true
    setState('loading')
    const arrived = await loadOlderMessages(queryClient, conversationId, oldest).then(
      () => true,
      () => false,
    )
    busy.current = false
    setState(arrived ? 'idle' : 'failed')
  }, [queryClient, conversationId, oldest])
  const load = useCallback(() => {
    if (state !== 'failed') void retry()
  }, [state, retry])
  const forget = useCallback(
    () => trimOlderMessages(queryClient, conversationId),
    [queryClient, conversationId],
  )
  return { state, load, retry, forget }
}
