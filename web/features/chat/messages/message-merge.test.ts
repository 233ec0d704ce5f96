import { expect, test } from 'vitest'
import type { Message } from '#contract/chat/messages.ts'
import {
  isMessageOrderAmbiguous,
  type LoadedMessages,
  mergeMessage,
  mergeNewestMessages,
  mergeOlderMessages,
} from './message-merge.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
const message = (number: number, more: Partial<Message> = {}): Message => ({
  $id: `m${number}`,
  $createdAt: at(number),
  conversationId: 'c',
  senderId: 'ana',
  content: `Número ${number}`,
  photos: [],
  shared: null,
  type: 'text',
  readBy: ['ana'],
  replyTo: null,
  reactions: [],
  unsentAt: null,
  ...more,
})
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
const thread = (from: number, to: number, hasOlder = false): LoadedMessages => ({
  messages: numbers(from, to).map((number) => message(number)),
  hasOlder,
})
const page = (from: number, to: number, more = false) => ({
  documents: numbers(from, to)
    .map((number) => message(number))
    .reverse(),
  more,
})
const ids = ({ messages }: LoadedMessages) => messages.map(({ $id }) => $id)

test('CMSG-14 pages arrive newest first and are shown oldest first; older messages go before newer ones, without duplicates', () => {
  const newest = mergeNewestMessages(undefined, page(4, 6, true))
  expect(ids(newest)).toEqual(['m4', 'm5', 'm6'])
  const whole = mergeOlderMessages(newest, page(1, 4))
  expect(ids(whole)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'])
  expect(whole.hasOlder).toBe(false)
})

test('older messages are kept if the reloaded newest page overlaps them', () => {
  expect(ids(mergeNewestMessages(thread(1, 5, true), page(4, 8, true)))).toEqual(
    numbers(1, 8).map((number) => `m${number}`),
  )
})

test('CMSG-14 two messages of one millisecond take the server’s order, and neither appears twice', () => {
  const [first, second] = [message(1), message(2, { $createdAt: at(1) })]
  const before = mergeMessage(mergeMessage({ messages: [], hasOlder: false }, second), first)
  expect(ids(before)).toEqual(['m2', 'm1'])
  expect(ids(mergeNewestMessages(before, { documents: [second, first], more: false }))).toEqual(['m1', 'm2'])
})

test('older messages are dropped if more messages were missed than one page holds', () => {
  const after = mergeNewestMessages(thread(1, 5), page(9, 12, true))
  expect(ids(after)).toEqual(['m9', 'm10', 'm11', 'm12'])
  expect(after.hasOlder).toBe(true)
})

test('RT-03 a message received twice appears once, in the right order', () => {
  const once = mergeMessage(thread(1, 3), message(4))
  expect(ids(mergeMessage(once, message(4)))).toEqual(['m1', 'm2', 'm3', 'm4'])
  const late = mergeMessage({ messages: [message(1), message(3)], hasOlder: false }, message(2))
  expect(ids(late)).toEqual(['m1', 'm2', 'm3'])
})

test('a live message older than all loaded messages is not added until ana scrolls up', () => {
  expect(ids(mergeMessage(thread(5, 6, true), message(1)))).toEqual(['m5', 'm6'])
})

test('RT-04 reading a message marks it and all messages before it as read', () => {
  const read = mergeMessage(thread(1, 3), message(2, { readBy: ['ana', 'bea'] }))
  expect(read.messages.map(({ readBy }) => readBy.includes('bea'))).toEqual([true, true, false])
  const merged = mergeMessage(read, message(2))
  expect(merged.messages[1]?.readBy).toEqual(['ana', 'bea'])
})

test('the order of two messages of the same millisecond is ambiguous', () => {
  const twin = message(9, { $createdAt: at(2) })
  expect(isMessageOrderAmbiguous(thread(1, 3), twin)).toBe(true)
  expect(isMessageOrderAmbiguous(thread(1, 3), message(2))).toBe(false)
})

test('RT-12 messages and read receipts that arrive while the newest page loads are kept', () => {
  const merged = mergeMessage(mergeMessage(thread(1, 5), message(4, { readBy: ['ana', 'bea'] })), message(6))
  const after = mergeNewestMessages(merged, page(2, 5))
  expect(ids(after)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'])
  expect(after.messages[3]?.readBy).toEqual(['ana', 'bea'])
  expect(ids(mergeNewestMessages(merged, page(1, 0)))).toEqual(ids(merged))
})

test('RT-12 after a gap that the newest page does not close, only messages newer than that page are kept', () => {
  const withGap: LoadedMessages = { ...thread(1, 5), gapAfter: 'm5' }
  const live = mergeMessage(mergeMessage(withGap, message(20)), message(22))
  const after = mergeNewestMessages(live, page(20, 21, true))
  expect(ids(after)).toEqual(['m20', 'm21', 'm22'])
  expect(after).toMatchObject({ hasOlder: true })
  expect(after.gapAfter).toBeUndefined()
})

test('RT-12 after a gap that the newest page closes, the loaded older messages are kept', () => {
  const withGap: LoadedMessages = { ...thread(1, 5, true), gapAfter: 'm5' }
  const after = mergeNewestMessages(mergeMessage(withGap, message(8)), page(4, 8, true))
  expect(ids(after)).toEqual(numbers(1, 8).map((number) => `m${number}`))
  expect(after.gapAfter).toBeUndefined()
})

test('UNSEND-02 an unsent message stays as an empty message, even if an older response arrives late', () => {
  const unsent = message(2, { content: '', unsentAt: at(9) })
  const merged = mergeMessage(thread(1, 3), unsent)
  expect(merged.messages.map(({ content }) => content)).toEqual(['Número 1', '', 'Número 3'])
  expect(mergeMessage(merged, message(2, { readBy: ['ana', 'bea'] })).messages[1]?.content).toBe('')
  expect(mergeNewestMessages(merged, page(1, 3)).messages[1]).toEqual(unsent)
  const again = { documents: [message(3), unsent, message(1)], more: false }
  expect(mergeNewestMessages(thread(1, 3), again).messages[1]).toEqual(unsent)
})

test('REPLY-03 unsending a message clears every quote of it, even if the message itself is not loaded', () => {
  const replyTo = { $id: 'm1', senderId: 'ana', content: 'Número 1', unsent: false }
  const quoting: LoadedMessages = { messages: [message(3, { replyTo })], hasOlder: true }
  const merged = mergeMessage(quoting, message(1, { content: '', unsentAt: at(9) }))
  expect(merged.messages).toEqual([message(3, { replyTo: { ...replyTo, content: '', unsent: true } })])
})
