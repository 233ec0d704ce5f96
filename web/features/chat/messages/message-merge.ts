import type { Message } from '#contract/chat/messages.ts'

/** Messages are oldest first. */
export type LoadedMessages = {
  messages: readonly Message[]
  hasOlder: boolean
  /** Messages may be missing after this id. */
  gapAfter?: string
}

type Page = { documents: readonly Message[]; more: boolean }

const oldestFirst = (page: Page) => page.documents.toReversed()

/** If the page does not overlap the older messages, they are dropped, because messages between may be missing. */
export function mergeNewestMessages(before: LoadedMessages | undefined, page: Page): LoadedMessages {
  const newest = oldestFirst(page)
  if (!before) return { messages: newest, hasOlder: page.more }
  const known = new Map(before.messages.map((message) => [message.$id, message]))
  const messages = newest.map((message) => {
    const cached = known.get(message.$id)
    if (!cached) return message
    if (isUnsentSince(cached, message) || isQuoteUnsentSince(cached, message)) return message
    // Unchanged messages keep their object, so they are not rendered again. Unsending is final, even if an older page
    // contains the text.
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
    // The page has the server's order, so it may also contain messages from before the overlap.
    messages: [
      ...before.messages.slice(0, meeting).filter(({ $id }) => !inPage.has($id)),
      ...messages,
      ...later,
    ],
    hasOlder: before.hasOlder,
  }
}

export function mergeOlderMessages(before: LoadedMessages, page: Page): LoadedMessages {
  const known = new Set(before.messages.map(({ $id }) => $id))
  const older = oldestFirst(page).filter(({ $id }) => !known.has($id))
  return { messages: [...older, ...before.messages], hasOlder: page.more }
}

/** Ignores messages older than the loaded ones. A reader of a message has also read all earlier messages. */
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

const isUnsentSince = (known: Message, message: Message) =>
  known.unsentAt === null && message.unsentAt !== null

const isQuoteUnsentSince = (known: Message, message: Message) =>
  known.replyTo?.unsent === false && message.replyTo?.unsent === true

const emptyQuotes = (messages: readonly Message[], { $id, unsentAt }: Message): readonly Message[] =>
  unsentAt === null
    ? messages
    : messages.map((known) =>
        known.replyTo?.$id === $id && !known.replyTo.unsent
          ? { ...known, replyTo: { ...known.replyTo, content: '', unsent: true } }
          : known,
      )

const reactedTo = (known: Message, { reactions }: Message): Message =>
  known.unsentAt !== null || isEqualJson(known.reactions, reactions) ? known : { ...known, reactions }

const isEqualJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const union = (one: Message, other: Message) => [...new Set([...one.readBy, ...other.readBy])]

/** The sender of `later` counts as a reader only of that same message. */
function readWith(known: Message, later: Message): Message {
  const readers = later.readBy.filter(
    (id) => !known.readBy.includes(id) && (known.$id === later.$id || id !== later.senderId),
  )
  return readers.length ? { ...known, readBy: [...known.readBy, ...readers] } : known
}

/** Only the server knows the order of messages created in the same millisecond. */
export const isMessageOrderAmbiguous = ({ messages }: LoadedMessages, message: Message): boolean =>
  messages.some(({ $id, $createdAt }) => $id !== message.$id && $createdAt === message.$createdAt)
