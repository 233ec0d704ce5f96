/** Merges pages, messages and read marks into loaded messages. */
import type { Message } from '#contract/chat/messages.ts'

/** Oldest first. */
export type LoadedMessages = {
  messages: readonly Message[]
  hasOlder: boolean
  /** Messages may be missing after this id. */
  gapAfter?: string
}

/** Newest first. */
type Page = { documents: readonly Message[]; more: boolean }

const oldestFirst = (page: Page) => page.documents.toReversed()

/**
 * Merges the newest page. Older messages stay if it overlaps and are dropped if there would be a gap.
 * Messages newer than the page stay.
 */
export function mergeNewestMessages(before: LoadedMessages | undefined, page: Page): LoadedMessages {
  const newest = oldestFirst(page)
  if (!before) return { messages: newest, hasOlder: page.more }
  const known = new Map(before.messages.map((message) => [message.$id, message]))
  const messages = newest.map((message) => {
    const cached = known.get(message.$id)
    if (!cached) return message
    if (isUnsentSince(cached, message) || isQuoteUnsentSince(cached, message)) return message
    // Keeps unchanged objects, to avoid rendering, and unsent messages, whatever an older page says.
    return cached.unsentAt !== null ||
      (message.readBy.every((id) => cached.readBy.includes(id)) && reactedTo(cached, message) === cached)
      ? cached
      : { ...message, readBy: union(message, cached) }
  })
  const inPage = new Set(newest.map(({ $id }) => $id))
  const last = newest.at(-1)
  const later = before.messages.filter(
    ({ $id, $createdAt }) => !inPage.has($id) && (!last || $createdAt >= last.$createdAt),
  )
  const meeting = before.messages.findIndex(({ $id }) => $id === newest[0]?.$id)
  const whole =
    before.gapAfter === undefined ? meeting : before.messages.findIndex(({ $id }) => $id === before.gapAfter)
  if (meeting < 0 || meeting > whole) return { messages: [...messages, ...later], hasOlder: page.more }
  return {
    messages: [...before.messages.slice(0, meeting), ...messages, ...later],
    hasOlder: before.hasOlder,
  }
}

export function mergeOlderMessages(before: LoadedMessages, page: Page): LoadedMessages {
  const known = new Set(before.messages.map(({ $id }) => $id))
  const older = oldestFirst(page).filter(({ $id }) => !known.has($id))
  return { messages: [...older, ...before.messages], hasOlder: page.more }
}

/**
 * Merges a message from the socket or its sending; older ones are left for scrolling. Reading a message reads
 * all before it.
 */
export function mergeMessage(before: LoadedMessages, message: Message): LoadedMessages {
  const at = before.messages.findIndex(({ $id }) => $id === message.$id)
  if (at >= 0) {
    const messages = emptyQuotes(before.messages, message).map((known, index) =>
      index > at
        ? known
        : index === at
          ? isUnsentSince(known, message)
            ? message
            : readWith(reactedTo(known, message), message)
          : readWith(known, message),
    )
    return { ...before, messages }
  }
  const [oldest] = before.messages
  if (message.unsentAt !== null) return { ...before, messages: emptyQuotes(before.messages, message) }
  if (oldest && before.hasOlder && message.$createdAt < oldest.$createdAt) return before
  const after = before.messages.findLastIndex(({ $createdAt }) => $createdAt <= message.$createdAt)
  return { ...before, messages: before.messages.toSpliced(after + 1, 0, message) }
}

/** Whether a message was unsent after loading, which is final. */
const isUnsentSince = (known: Message, message: Message) =>
  known.unsentAt === null && message.unsentAt !== null

const isQuoteUnsentSince = (known: Message, message: Message) =>
  known.replyTo?.unsent === false && message.replyTo?.unsent === true

/** Removes an unsent message's text from quotes. */
const emptyQuotes = (messages: readonly Message[], { $id, unsentAt }: Message): readonly Message[] =>
  unsentAt === null
    ? messages
    : messages.map((known) =>
        known.replyTo?.$id === $id && !known.replyTo.unsent
          ? { ...known, replyTo: { ...known.replyTo, content: '', unsent: true } }
          : known,
      )

/** Keeps the object if the reactions are equal. */
const reactedTo = (known: Message, { reactions }: Message): Message =>
  known.unsentAt !== null || isEqualJson(known.reactions, reactions) ? known : { ...known, reactions }

const isEqualJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const union = (one: Message, other: Message) => [...new Set([...one.readBy, ...other.readBy])]

/** Adds readers of the message or a later one; the sender counts only for their own. */
function readWith(known: Message, later: Message): Message {
  const readers = later.readBy.filter(
    (id) => !known.readBy.includes(id) && (known.$id === later.$id || id !== later.senderId),
  )
  return readers.length ? { ...known, readBy: [...known.readBy, ...readers] } : known
}

/** Whether another message has the same millisecond: only the server knows their order. */
export const isMessageOrderAmbiguous = ({ messages }: LoadedMessages, message: Message): boolean =>
  messages.some(({ $id, $createdAt }) => $id !== message.$id && $createdAt === message.$createdAt)
