import {
  Ban,
  Check,
  CheckCheck,
  CircleAlert,
  Clock3,
  Ellipsis,
  type LucideIcon,
  SmilePlus,
} from 'lucide-react'
import { memo } from 'react'
import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { formatDateAndTime } from '#web/format-time.ts'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { LinkedCards, SharedPostCard } from './links/linked-cards.tsx'
import { LinkedText } from './links/linked-text.tsx'
import { MessageQuote as Quote } from './message-quote.tsx'
import { type DeliveryStatus, deliveryStatusNames, deliveryStatusOf } from './messages/delivery-status.ts'
import { formatClockTime } from './messages/message-grouping.ts'
import type { PendingMessage } from './messages/message-outbox.ts'
import { MessagePhotos } from './photos/message-photos.tsx'
import { ReactionChips } from './reactions/reaction-chips.tsx'
import { useLongPress } from './reactions/use-long-press.ts'
import type { ToggleReaction } from './reactions/use-toggle-reaction.ts'
import { useSwipeRight } from './use-swipe-right.ts'

export type MessageBubbleProps = Pick<
  Message,
  | '$id'
  | '$createdAt'
  | 'senderId'
  | 'content'
  | 'photos'
  | 'shared'
  | 'readBy'
  | 'replyTo'
  | 'reactions'
  | 'unsentAt'
> & {
  outgoing?: PendingMessage
}

type Props = {
  message: MessageBubbleProps
  me: string
  other: PersonSummary | undefined
  plainText: boolean
  hidesCards: boolean
  day: string | undefined
  first: boolean
  last: boolean
  onTryAgain: (outgoing: PendingMessage) => void
  onDiscard: (outgoing: PendingMessage) => void
  /** The bubble is highlighted for a moment after the reader followed a quote to it. */
  marked: boolean
  onOptions: (messageId: string, element: HTMLElement, first?: 'reactions') => void
  onReact: ToggleReaction | undefined
  onReply: ((messageId: string) => void) | undefined
  onGoTo: (messageId: string) => void
}

export const MessageBubble = memo(function Bubble(props: Props) {
  const { message, me, other, plainText, hidesCards, day, first, last, marked } = props
  const { onTryAgain, onDiscard, onOptions, onReact, onReply, onGoTo } = props
  const { $id, content, photos, shared, outgoing, senderId, replyTo, reactions, unsentAt } = message
  const mine = senderId === me
  const failed = outgoing?.state === 'failed'
  const living = !outgoing && unsentAt === null
  const reply = onReply && living ? () => onReply($id) : undefined
  const swipe = useSwipeRight(reply)
  const react = living ? onReact : undefined
  const longPress = useLongPress(react && ((element) => onOptions($id, element, 'reactions')))
  return (
    <li
      data-message={$id}
      data-marked={marked || undefined}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'r' || event.ctrlKey || event.metaKey || event.altKey || !reply) return
        event.preventDefault()
        reply()
      }}
      {...swipe}
      className="flex flex-none flex-col"
    >
      {day && (
        <p className="mt-4.5 mb-3.5 self-center rounded-full bg-sunken px-3 py-1 text-micro font-[620] text-text-2">
          {day}
        </p>
      )}
      <div
        {...longPress}
        className={cx(
          react && 'pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none]',
          'group/bubble relative rounded-card-small px-3.5 pt-[9px] pb-2 leading-[1.3125rem] wrap-anywhere',
          'motion-safe:animate-arrive forced-colors:border',
          first && !day ? 'mt-3.5' : 'mt-[3px]',
          // Leaves room for the avatar and a button, or for two buttons beside a mouse.
          mine
            ? 'max-w-[82%] self-end rounded-br-[6px] pointer-fine:max-w-[min(82%,560px,calc(100%-5.75rem))]'
            : 'ml-[38px] max-w-[min(82%,calc(100%-5.25rem))] self-start rounded-bl-[6px] md:ml-11 pointer-fine:max-w-[min(82%,560px,calc(100%-8.5rem))]',
          !first && (mine ? 'rounded-tr-[6px]' : 'rounded-tl-[6px]'),
          marked && 'outline-3 outline-focus',
          failed
            ? 'inset-ring-[1.5px] inset-ring-danger'
            : unsentAt !== null
              ? 'border-[1.5px] border-border text-text-2'
              : mine
                ? 'bg-bubble-me'
                : 'bg-bubble-them',
        )}
      >
        {!mine && last && other && (
          <span className="absolute bottom-0 -left-[38px] md:-left-11">
            <Avatar person={other} size={32} />
          </span>
        )}
        <span className="sr-only">{mine ? en('You: ', 'Tú: ') : `${other?.name ?? ''}: `}</span>
        {replyTo && (
          <Quote
            quote={replyTo}
            name={replyTo.senderId === me ? en('You', 'Tú') : other?.name}
            onGoTo={onGoTo}
          />
        )}
        {(photos.length > 0 || outgoing?.photos) && (
          <MessagePhotos
            photos={photos}
            pending={outgoing?.photos}
            by={mine ? en('you', 'ti') : (other?.name ?? '')}
            hasWords={content !== ''}
          />
        )}
        {shared && <SharedPostCard shared={shared} hidden={hidesCards} />}
        {unsentAt === null ? (
          <span dir="auto" className="whitespace-pre-wrap">
            {plainText ? content : <LinkedText text={content} />}
          </span>
        ) : (
          <span className="inline-flex items-center gap-2">
            <Ban aria-hidden size={16} strokeWidth={2.1} className="flex-none" />
            {en('Message unsent', 'Mensaje retirado')}
          </span>
        )}
        {unsentAt === null && !hidesCards && <LinkedCards text={content} />}
        <Meta message={message} marker={failed || unsentAt !== null ? null : deliveryStatusOf(message, me)} />
        {living && (
          <div
            className={cx(
              'absolute top-1/2 flex -translate-y-1/2',
              mine ? 'right-full flex-row-reverse' : 'left-full',
            )}
          >
            <BesideButton
              icon={Ellipsis}
              label={en('Message options', 'Opciones del mensaje')}
              onClick={(button) => onOptions($id, button)}
            />
            {react && (
              <BesideButton
                icon={SmilePlus}
                label={en('React', 'Reaccionar')}
                className="pointer-coarse:hidden"
                onClick={(button) => onOptions($id, button, 'reactions')}
              />
            )}
          </div>
        )}
      </div>
      {reactions.length > 0 && (
        <ReactionChips {...{ reactions, me, mine }} onReact={react && ((emoji) => react($id, emoji))} />
      )}
      {failed && (
        <p className="flex items-center gap-1 self-end text-meta font-semibold text-danger">
          <CircleAlert aria-hidden size={16} strokeWidth={2.1} className="flex-none" />
          {en('Not sent ·', 'No enviado ·')}
          <FailedAction label={en('Try again', 'Volver a intentar')} onClick={() => onTryAgain(outgoing)} />·
          <FailedAction label={en('Discard', 'Descartar')} onClick={() => onDiscard(outgoing)} />
        </p>
      )}
    </li>
  )
})

type BesideProps = {
  icon: LucideIcon
  label: string
  className?: string
  onClick: (button: HTMLElement) => void
}

/** The button appears on hover and focus. Touch screens always show it, faintly. */
function BesideButton({ icon: Icon, label, className, onClick }: BesideProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onClick(currentTarget)}
      className={cx(
        'grid size-11 flex-none place-items-center rounded-full text-text-2 opacity-0 group-hover/bubble:opacity-100 hover:text-text focus-visible:opacity-100 pointer-coarse:opacity-60',
        className,
      )}
    >
      <Icon aria-hidden size={18} strokeWidth={2.2} />
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

function Meta({ message, marker }: { message: MessageBubbleProps; marker: DeliveryStatus | null }) {
  const time = new Date(message.$createdAt)
  return (
    <span
      className={cx(
        'float-right mt-[5px] -mr-[3px] -mb-[3px] ml-3 inline-flex items-center gap-1 text-[0.71875rem] leading-[1rem] tabular-nums',
        marker ? 'text-meta-me' : 'text-text-2',
      )}
    >
      <time dateTime={message.$createdAt} title={formatDateAndTime(time)}>
        {formatClockTime(time)}
      </time>
      {message.outgoing?.state === 'waiting' ? (
        <>
          <Clock3 aria-hidden size={14} strokeWidth={2.3} />
          {en('Waiting', 'Esperando')}
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
    <span
      role="img"
      aria-label={deliveryStatusNames[marker]}
      className={marker === 'Read' ? 'text-read' : undefined}
    >
      <Icon aria-hidden size={16} strokeWidth={2.3} />
    </span>
  )
}
