/** Merges pages, single messages and read marks into the loaded messages. */
import type { Message } from '#contract/chat/messages.ts'

/** The loaded messages, oldest first. */
export type LoadedMessages = {
  messages: readonly Message[]
  hasOlder: boolean
  /** The id of a message after which messages may be missing. */
  gapAfter?: string
}

/** A page of messages, newest first. */
type Page = { documents: readonly Message[]; more: boolean }

const oldestFirst = (page: Page) => page.documents.toReversed()

/**
 * Merges the newest page. If the page overlaps the loaded messages, older messages stay; otherwise they are dropped,
 * because messages between them and the page may be missing. Messages newer than the page stay.
 */
export function mergeNewestMessages(before: LoadedMessages | undefined, page: Page): LoadedMessages {
  const newest = oldestFirst(page)
  if (!before) return { messages: newest, hasOlder: page.more }
  const known = new Map(before.messages.map((message) => [message.$id, message]))
  const messages = newest.map((message) => {
    const cached = known.get(message.$id)
    if (!cached) return message
    if (isUnsentSince(cached, message) || isQuoteUnsentSince(cached, message)) return message
    // Unchanged messages keep their object, so that they are not rendered again. A message that was unsent stays
    // unsent, even if an older page contains its text.
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
 * Merges a message from the socket or from the member's own sending. Messages older than the loaded messages are
 * ignored, because scrolling loads them. A reader of a message has also read all messages before it.
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

/** Whether a message was unsent after it was loaded. Unsending is final. */
const isUnsentSince = (known: Message, message: Message) =>
  known.unsentAt === null && message.unsentAt !== null

const isQuoteUnsentSince = (known: Message, message: Message) =>
  known.replyTo?.unsent === false && message.replyTo?.unsent === true

/** Removes the text of an unsent message from all messages that quote it. */
const emptyQuotes = (messages: readonly Message[], { $id, unsentAt }: Message): readonly Message[] =>
  unsentAt === null
    ? messages
    : messages.map((known) =>
        known.replyTo?.$id === $id && !known.replyTo.unsent
          ? { ...known, replyTo: { ...known.replyTo, content: '', unsent: true } }
          : known,
      )

/** Returns the same object if the reactions have not changed. */
const reactedTo = (known: Message, { reactions }: Message): Message =>
  known.unsentAt !== null || isEqualJson(known.reactions, reactions) ? known : { ...known, reactions }

const isEqualJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const union = (one: Message, other: Message) => [...new Set([...one.readBy, ...other.readBy])]

/**
 * Adds the readers of `later` to a message that is the same or older. Its sender counts as a reader only of that same
 * message.
 */
function readWith(known: Message, later: Message): Message {
  const readers = later.readBy.filter(
    (id) => !known.readBy.includes(id) && (known.$id === later.$id || id !== later.senderId),
  )
  return readers.length ? { ...known, readBy: [...known.readBy, ...readers] } : known
}

/** Whether another message was created in the same millisecond. Only the server knows the order of such messages. */
export const isMessageOrderAmbiguous = ({ messages }: LoadedMessages, message: Message): boolean =>
  messages.some(({ $id, $createdAt }) => $id !== message.$id && $createdAt === message.$createdAt)
