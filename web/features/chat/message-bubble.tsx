/** Shows one message of a conversation: its text, its time and whether it was delivered and read. */
import { Check, CheckCheck, CircleAlert, Clock3, Flag } from 'lucide-react'
import { memo } from 'react'
import type { Message } from '#contract/chat/conversations.ts'
import type { PersonSummary } from '#contract/people.ts'
import { formatFullDate } from '#web/format-time.ts'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { LinkedText } from './linked-text.tsx'
import { type DeliveryStatus, deliveryStatusOf } from './messages/delivery-status.ts'
import { formatClockTime } from './messages/message-grouping.ts'
import type { PendingMessage } from './messages/pending-message-store.ts'

export type MessageBubbleProps = Pick<Message, '$id' | '$createdAt' | 'senderId' | 'content' | 'readBy'> & {
  /** Set while the message is not stored yet. */
  outgoing?: PendingMessage
}

type Props = {
  message: MessageBubbleProps
  me: string
  other: PersonSummary | undefined
  plainText: boolean
  day: string | undefined
  first: boolean
  last: boolean
  onTryAgain: (outgoing: PendingMessage) => void
  onDiscard: (outgoing: PendingMessage) => void
  onReport: (messageId: string) => void
}

export const MessageBubble = memo(function Bubble(props: Props) {
  const { message, me, other, plainText, day, first, last, onTryAgain, onDiscard, onReport } = props
  const { $id, content, outgoing, senderId } = message
  const mine = senderId === me
  const failed = outgoing?.state === 'failed'
  return (
    <li data-message={$id} className="flex flex-none flex-col">
      {day && (
        <p className="mt-4.5 mb-3.5 self-center rounded-full bg-sunken px-3 py-1 text-micro font-[620] text-text-2">
          {day}
        </p>
      )}
      <div
        className={cx(
          'group/bubble relative max-w-[82%] rounded-card-small px-3.5 pt-[9px] pb-2 leading-[1.3125rem] wrap-anywhere lg:max-w-[min(72%,560px)]',
          'motion-safe:animate-arrive forced-colors:border',
          first && !day ? 'mt-3.5' : 'mt-[3px]',
          mine ? 'self-end rounded-br-[6px]' : 'ml-[38px] self-start rounded-bl-[6px] md:ml-11',
          !first && (mine ? 'rounded-tr-[6px]' : 'rounded-tl-[6px]'),
          failed ? 'inset-ring-[1.5px] inset-ring-danger' : mine ? 'bg-bubble-me' : 'bg-bubble-them',
        )}
      >
        {!mine && last && other && (
          <span className="absolute bottom-0 -left-[38px] md:-left-11">
            <Avatar person={other} size={32} />
          </span>
        )}
        <span className="sr-only">{mine ? 'You: ' : `${other?.name ?? ''}: `}</span>
        <span dir="auto" className="whitespace-pre-wrap">
          {plainText ? content : <LinkedText text={content} />}
        </span>
        <Meta message={message} marker={failed ? null : deliveryStatusOf(message, me)} />
        {!mine && <ReportButton onClick={() => onReport($id)} />}
      </div>
      {failed && (
        <p className="flex items-center gap-1 self-end text-meta font-semibold text-danger">
          <CircleAlert aria-hidden size={16} strokeWidth={2.1} className="flex-none" />
          Not sent ·
          <FailedAction label="Try again" onClick={() => onTryAgain(outgoing)} />·
          <FailedAction label="Discard" onClick={() => onDiscard(outgoing)} />
        </p>
      )}
    </li>
  )
})

/** Stands beside another's message while that is pointed at or holds the focus; on touch screens always, faintly. */
function ReportButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Report message…"
      aria-haspopup="dialog"
      onClick={onClick}
      className="absolute top-1/2 left-full grid h-11 w-8 -translate-y-1/2 place-items-center rounded-full text-text-2 opacity-0 group-hover/bubble:opacity-100 hover:text-text focus-visible:opacity-100 pointer-coarse:opacity-60"
    >
      <Flag aria-hidden size={16} strokeWidth={2} />
    </button>
  )
}

function FailedAction({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-11 px-1.5 font-[680] underline underline-offset-3"
    >
      {label}
    </button>
  )
}

/** Shows time and delivery status at the end of the last line. */
function Meta({ message, marker }: { message: MessageBubbleProps; marker: DeliveryStatus | null }) {
  const time = new Date(message.$createdAt)
  return (
    <span
      className={cx(
        'float-right mt-[5px] -mr-[3px] -mb-[3px] ml-3 inline-flex items-center gap-1 text-[0.71875rem] leading-4 tabular-nums',
        marker ? 'text-meta-me' : 'text-text-2',
      )}
    >
      <time dateTime={message.$createdAt} title={formatFullDate(time)}>
        {formatClockTime(time)}
      </time>
      {message.outgoing?.state === 'waiting' ? (
        <>
          <Clock3 aria-hidden size={14} strokeWidth={2.3} />
          Waiting
        </>
      ) : (
        marker && <MarkerIcon marker={marker} />
      )}
    </span>
  )
}

function MarkerIcon({ marker }: { marker: DeliveryStatus }) {
  const Icon = marker === 'Sent' ? Check : CheckCheck
  return (
    <span role="img" aria-label={marker} className={marker === 'Read' ? 'text-read' : undefined}>
      <Icon aria-hidden size={16} strokeWidth={2.3} />
    </span>
  )
}
