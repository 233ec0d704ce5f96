import { expect, test } from 'vitest'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { canChatWith } from './use-start-chat.ts'

test('CHAT-28 USR-09 nobody can start a chat before the session is known, and no member can chat with herself', () => {
  expect(canChatWith(undefined, 'bea')).toBe(false)
  expect(canChatWith({ $id: '' }, 'bea')).toBe(false)
  expect(canChatWith({ $id: 'ana' }, 'ana')).toBe(false)
  expect(canChatWith({ $id: 'ana' }, 'bea')).toBe(true)
})

test('CACHE-05 conversations, messages and the unread count have separate query keys', () => {
  expect(chatQueryKeys.list).toEqual(['conversations', 'list'])
  expect(chatQueryKeys.unread).toEqual(['conversations', 'unread'])
  expect(chatQueryKeys.messages('c1')).toEqual(['messages', 'c1'])
})
