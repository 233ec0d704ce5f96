import { expect } from 'vitest'
import { page } from 'vitest/browser'
import {
  type Conversation,
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
} from '#contract/chat/conversations.ts'
import { countMessageRequestsOperation } from '#contract/chat/message-requests.ts'
import {
  listMessagesOperation,
  type Message,
  type MessagePhoto,
  sendMessageOperation,
} from '#contract/chat/messages.ts'
import type { OperationInput } from '#contract/operation.ts'
import { type Person, searchPeopleOperation } from '#contract/people/people.ts'
import { refusal } from './fake-api.ts'
import { makeConversation, makeMessage, makePersonSummary, newId } from './fixtures.ts'
import { sendChange } from './live-socket.ts'
import { api, openApp } from './open-app.tsx'

export const ana = { $id: newId() }

export const messageInput = page.getByPlaceholder('Type a message...')
export const sendButton = page.getByRole('button', { name: 'Send', exact: true })
export const personSearch = page.getByPlaceholder('Buscar usuarios...')
export const messageList = page.getByRole('list', { name: /^Messages with / })
export const conversationList = page.getByRole('list', { name: 'Conversations' })
export const conversationRow = (name: string) =>
  conversationList.getByRole('listitem').filter({ hasText: name })
export const bubble = (text: string) => messageList.getByRole('listitem').filter({ hasText: text })

export function conversationWith(name: string, given: Partial<Conversation> = {}): Conversation {
  const other = { ...makePersonSummary({ name }), visible: true }
  return makeConversation({ other, participants: [ana.$id, other.$id], ...given })
}

const firstMessageAt = Date.parse('2026-11-01T10:00:00.000Z')
let seconds = 0

/** The messages are one second apart, oldest first. */
export const messagesFrom = (conversation: Conversation, ...contents: string[]): Message[] =>
  contents.map((content) => {
    seconds += 1
    return makeMessage({
      $createdAt: new Date(firstMessageAt + seconds * 1000).toISOString(),
      conversationId: conversation.$id,
      senderId: conversation.other.$id,
      content,
    })
  })

export const makeMessagePhoto = (given: Partial<MessagePhoto> = {}): MessagePhoto => ({
  id: newId('photo'),
  width: 320,
  height: 240,
  thumbhash: '',
  alt: '',
  ...given,
})

export const quoteOf = ({ $id, senderId, content, unsentAt, photos: [first, ...more] }: Message) => ({
  $id,
  senderId,
  content,
  unsent: unsentAt !== null,
  ...(first ? { photos: { count: 1 + more.length, imageId: first.id } } : {}),
})

/** @returns the server's messages, oldest first */
export function answerChat({
  conversations = [],
  messages = [],
  people = [],
}: {
  conversations?: Conversation[]
  messages?: Message[]
  people?: Person[]
} = {}) {
  const known = [...conversations]
  const stored = [...messages]
  const get = (id: string) => known.find(({ $id }) => $id === id) ?? refusal('document_not_found')
  api.answer(listConversationsOperation, () => ({ documents: known }))
  api.answer(getConversationOperation, ({ conversationId }) => get(conversationId))
  api.answer(countUnreadConversationsOperation, () => ({
    count: known.filter(({ unread }) => unread).length,
  }))
  api.answer(countMessageRequestsOperation, { count: 0, hasRestricted: false })
  api.answer(markConversationReadOperation, ({ conversationId }) => {
    const at = known.findIndex(({ $id }) => $id === conversationId)
    known[at] = { ...(known[at] as Conversation), unread: false }
    return known[at]
  })
  api.answer(listMessagesOperation, ({ conversationId, before, after, limit = 50 }) => {
    const all = stored.filter((message) => message.conversationId === conversationId).reverse()
    const place = all.findIndex(({ $id }) => $id === (before ?? after))
    if (after) return { documents: all.slice(0, place), more: false }
    const from = before ? all.slice(place + 1) : all
    return { documents: from.slice(0, Number(limit)), more: from.length > Number(limit) }
  })
  const storeMessage = ({
    conversationId,
    messageId,
    content,
    photos = [],
    replyTo,
  }: Pick<OperationInput<typeof sendMessageOperation>, 'conversationId' | 'messageId' | 'content'> &
    Partial<OperationInput<typeof sendMessageOperation>>) => {
    const answered = stored.find(({ $id }) => $id === replyTo)
    const message = makeMessage({
      $id: messageId ?? newId(),
      conversationId,
      senderId: ana.$id,
      content: content.trim(),
      photos: photos.map(({ imageId, alt = '' }) => makeMessagePhoto({ id: imageId, alt })),
      replyTo: answered ? quoteOf(answered) : null,
    })
    stored.push(message)
    const at = known.findIndex(({ $id }) => $id === conversationId)
    const [conversation] = known.splice(at, 1)
    if (conversation)
      known.unshift({ ...conversation, lastMessage: message.content, lastMessageSender: ana.$id })
    return message
  }
  api.answer(sendMessageOperation, storeMessage)
  api.answer(searchPeopleOperation, { documents: people })
  return { stored, known, storeMessage }
}

export async function openConversation(
  conversation: Conversation,
  {
    messages = [],
    others = [],
    ...options
  }: { messages?: Message[]; others?: Conversation[] } & Parameters<typeof openApp>[1] = {},
) {
  const answered = answerChat({ conversations: [conversation, ...others], messages })
  const opened = await openApp(`/chat/${conversation.$id}`, { me: ana, ...options })
  await expect.element(messageInput).toBeVisible()
  return { ...answered, ...opened }
}

export function receiveMessage(stored: Message[], message: Message): void {
  stored.push(message)
  sendChange({ collection: 'messages', kind: 'create', document: message })
}
