import { expect, test } from 'vitest'
import { chatQueryKeys } from './query-keys.ts'

test('CACHE-05 conversations, messages and the unread count have separate query keys', () => {
  expect(chatQueryKeys.list).toEqual(['conversations', 'list'])
  expect(chatQueryKeys.unread).toEqual(['conversations', 'unread'])
  expect(chatQueryKeys.messages('c1')).toEqual(['messages', 'c1'])
})
