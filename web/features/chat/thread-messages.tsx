import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { PersonSummary } from '#contract/people.ts'
import { isQueryLoading } from '#web/api/query-state.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import type { ReportedSubject } from '#web/features/moderation/report-dialog/reported-subject.ts'
import { useReportDialog } from '#web/features/moderation/use-report-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { MessageBubble, type MessageBubbleProps } from './message-bubble.tsx'
import { groupMessagesByDayAndSender } from './messages/message-grouping.ts'
import type { PendingMessage } from './messages/pending-message-store.ts'
import type { MessageThread } from './messages/thread-merge.ts'
import { loadOlderMessages, trimOlderMessages } from './messages/thread-queries.ts'
import { NewMessageAnnouncer } from './new-message-announcer.tsx'
import { useMarkRead } from './use-mark-read.ts'
import { useThreadScroll } from './use-thread-scroll.ts'

type Props = {
  conversationId: string
  other: PersonSummary | undefined
  query: UseQueryResult<MessageThread>
  /** Nothing is marked as read. */
  quiet: boolean
  /** Addresses are no links. */
  plainText: boolean
  outgoing: readonly PendingMessage[]
  onTryAgain: (outgoing: PendingMessage) => void
  onDiscard: (outgoing: PendingMessage) => void
}

const skeletonBubbles = ['w-2/5', 'w-1/2', 'w-1/3 self-end', 'w-[45%]', 'w-[55%] self-end', 'w-1/4 self-end']

/** Shows a thread's messages and the unsent ones after them, oldest at the top. */
export function ThreadMessages(props: Props) {
  const { conversationId, other, query, quiet, plainText, outgoing, onTryAgain, onDiscard } = props
  const me = useSignedInMember().$id
  const thread = query.data
  const shown = useMemo(() => thread && withOutgoing(thread, outgoing, me), [thread, outgoing, me])
  const older = useOlder(conversationId, thread?.hasOlder ? thread.messages[0]?.$id : undefined)
  const lines = useMemo(
    () => shown?.map(({ $id, senderId }) => ({ $id, mine: senderId === me })) ?? null,
    [shown, me],
  )
  const today = new Date().toDateString()
  const placed = useMemo(() => shown && groupMessagesByDayAndSender(shown, new Date(today)), [shown, today])
  const scroll = useThreadScroll({ lines, onNearTop: older.load, onFollow: older.forget })
  useMarkRead(conversationId, thread?.messages ?? [], me, !quiet && scroll.placed && scroll.unseen === 0)

  const { report, dialog } = useReportDialog()
  const reportMessage = useReportMessage(thread, other, me, report)

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroll.box}
        onScroll={scroll.onScroll}
        className="absolute inset-0 flex flex-col overflow-x-hidden overflow-y-auto overscroll-contain px-3 pt-3 pb-2 [overflow-anchor:none] md:px-4 md:pt-6 lg:px-[clamp(16px,5vw,64px)] md:pb-4"
      >
        {!placed ? (
          <NothingYet query={query} />
        ) : placed.length === 0 ? (
          <p className="m-auto px-6 text-center text-text-2">No messages yet. Start the conversation!</p>
        ) : (
          <>
            {older.state === 'loading' && <Spinner className="mx-auto my-2 flex-none" />}
            {older.state === 'failed' && (
              <Button kind="outline" size="sm" className="mx-auto my-2 flex-none" onClick={older.retry}>
                Try again
              </Button>
            )}
            <ol
              aria-label={`Messages with ${other?.name ?? ''}`}
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
                    day,
                    first,
                    last,
                    onTryAgain,
                    onDiscard,
                    onReport: reportMessage,
                  }}
                />
              ))}
            </ol>
          </>
        )}
      </div>
      {scroll.unseen > 0 && (
        <Button
          kind="outline"
          onClick={scroll.goToEnd}
          className="absolute inset-x-0 bottom-4 mx-auto w-fit animate-rise bg-surface shadow-float"
        >
          {scroll.unseen === 1 ? 'New messages' : `${scroll.unseen} new messages`}
          <ArrowDown aria-hidden size={18} strokeWidth={2} />
        </Button>
      )}
      {dialog}
      {thread && other && <NewMessageAnnouncer messages={thread.messages} other={other} />}
    </div>
  )
}

/** How many messages before and after a reported one can be chosen from. */
const reportedAround = 20

/** Reports a message with those around it to choose from. Stays the same function, because each bubble has it. */
function useReportMessage(
  thread: MessageThread | undefined,
  other: PersonSummary | undefined,
  me: string,
  report: (subject: ReportedSubject) => void,
) {
  const latest = useRef<(messageId: string) => void>(() => {})
  latest.current = (messageId) => {
    const messages = thread?.messages ?? []
    const at = messages.findIndex(({ $id }) => $id === messageId)
    if (at < 0) return
    report({
      kind: 'message',
      id: messageId,
      person: other && { $id: other.$id, name: other.name },
      messages: messages
        .slice(Math.max(0, at - reportedAround), at + reportedAround + 1)
        .map(({ $id, content, $createdAt, senderId }) => ({
          $id,
          content,
          at: $createdAt,
          mine: senderId === me,
        })),
    })
  }
  return useCallback((messageId: string) => latest.current(messageId), [])
}

function NothingYet({ query }: { query: UseQueryResult<MessageThread> }) {
  if (!isQueryLoading(query)) return <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
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

/** Appends unsent messages, with times no earlier than the newest stored one. */
function withOutgoing(
  { messages }: MessageThread,
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
      readBy: [],
      outgoing: message,
    }))
  return [...messages, ...waiting]
}

/**
 * Loads older messages page by page; after a failure only on request.
 * @param oldest id of the oldest loaded message; undefined at the beginning of the conversation
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
