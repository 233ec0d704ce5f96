import { expect, test } from 'vitest'
import { canChatWith } from './use-start-chat.ts'

test('CHAT-28 USR-09 nobody can start a chat before the session is known, and no member can chat with herself', () => {
  expect(canChatWith(undefined, 'bea')).toBe(false)
  expect(canChatWith({ $id: '' }, 'bea')).toBe(false)
  expect(canChatWith({ $id: 'ana' }, 'ana')).toBe(false)
  expect(canChatWith({ $id: 'ana' }, 'bea')).toBe(true)
})
