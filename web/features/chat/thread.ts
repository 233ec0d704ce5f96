/** A conversation's messages as the cache holds them, and what is learned of them piece by piece. */
import type { Message } from '#contract/chat.ts'

/** Oldest first. */
export type Thread = {
  messages: readonly Message[]
  /** There are older ones. */
  more: boolean
  /** After this one, the newest there was, something may be missing. */
  torn?: string
}

/** What `listMessages` answers: newest first. */
type Page = { documents: readonly Message[]; more: boolean }

const oldestFirst = (page: Page) => page.documents.toReversed()

/**
 * The newest page over what was loaded before; older messages stay where the two meet, and go where a gap would be. What was
 * told after the server wrote the page stays as well: it is newer than all of it.
 */
export function withNewest(before: Thread | undefined, page: Page): Thread {
  const newest = oldestFirst(page)
  if (!before) return { messages: newest, more: page.more }
  const known = new Map(before.messages.map((message) => [message.$id, message]))
  const messages = newest.map((message) => {
    const told = known.get(message.$id)
    if (!told) return message
    // The same object for the same message: what shows it need not be drawn again.
    return message.readBy.every((id) => told.readBy.includes(id))
      ? told
      : { ...message, readBy: union(message, told) }
  })
  const inPage = new Set(newest.map(({ $id }) => $id))
  const last = newest.at(-1)
  const later = before.messages.filter(
    ({ $id, $createdAt }) => !inPage.has($id) && (!last || $createdAt >= last.$createdAt),
  )
  const meeting = before.messages.findIndex(({ $id }) => $id === newest[0]?.$id)
  const whole =
    before.torn === undefined ? meeting : before.messages.findIndex(({ $id }) => $id === before.torn)
  if (meeting < 0 || meeting > whole) return { messages: [...messages, ...later], more: page.more }
  return { messages: [...before.messages.slice(0, meeting), ...messages, ...later], more: before.more }
}

export function withOlder(before: Thread, page: Page): Thread {
  const known = new Set(before.messages.map(({ $id }) => $id))
  const older = oldestFirst(page).filter(({ $id }) => !known.has($id))
  return { messages: [...older, ...before.messages], more: page.more }
}

/**
 * One message, told by the socket or by the answer to sending it. Older ones than those loaded are left for scrolling up.
 * What is read up to here is read before it too: being read is one mark (reading R-09).
 */
export function withMessage(before: Thread, message: Message): Thread {
  const at = before.messages.findIndex(({ $id }) => $id === message.$id)
  if (at >= 0) {
    const messages = before.messages.map((known, index) => (index <= at ? readWith(known, message) : known))
    return { ...before, messages }
  }
  const [oldest] = before.messages
  if (oldest && before.more && message.$createdAt < oldest.$createdAt) return before
  const after = before.messages.findLastIndex(({ $createdAt }) => $createdAt <= message.$createdAt)
  return { ...before, messages: before.messages.toSpliced(after + 1, 0, message) }
}

const union = (one: Message, other: Message) => [...new Set([...one.readBy, ...other.readBy])]

/** What a message is read by, known from itself or from one after it, where the sender counts only for her own. */
function readWith(known: Message, later: Message): Message {
  const readers = later.readBy.filter(
    (id) => !known.readBy.includes(id) && (known.$id === later.$id || id !== later.senderId),
  )
  return readers.length ? { ...known, readBy: [...known.readBy, ...readers] } : known
}

/** Two messages of one millisecond: only the server knows which was first. */
export const isOrderUnsure = ({ messages }: Thread, message: Message): boolean =>
  messages.some(({ $id, $createdAt }) => $id !== message.$id && $createdAt === message.$createdAt)
