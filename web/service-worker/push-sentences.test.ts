import { expect, test } from 'vitest'
import { pushSentenceOf } from './push-sentences.ts'

test("PUSH-02 PUSH-03 the notification text uses the browser's language, and names the sender only if the push has a name", () => {
  expect(pushSentenceOf({ kind: 'message', badge: 1 }, 'en-US')).toBe('You have a new message')
  expect(pushSentenceOf({ kind: 'message', badge: 1 }, 'es-MX')).toBe('Tienes un mensaje nuevo')
  expect(pushSentenceOf({ kind: 'message', name: 'Bea', badge: 1 }, 'en')).toBe('Bea wrote to you')
  expect(pushSentenceOf({ kind: 'message', name: 'Bea', others: 2, badge: 3 }, 'en')).toBe(
    'Bea and 2 more wrote to you',
  )
})

test('PUSH-09 the final push of a session says that the session ended', () => {
  expect(pushSentenceOf({ kind: 'farewell', badge: 0 }, 'es-ES')).toBe(
    'Se cerró tu sesión en este dispositivo',
  )
  expect(pushSentenceOf({ kind: 'farewell', badge: 0 }, 'fr')).toBe('You were logged out on this device')
  expect(pushSentenceOf({ kind: 'earlier-farewell', badge: 0 }, 'es')).toBe(
    'Se cerró una sesión anterior en este dispositivo',
  )
})

test('PUSH-12 a test push says that notifications work', () => {
  expect(pushSentenceOf({ kind: 'test', badge: 0 }, 'es-MX')).toBe('Los avisos funcionan en este dispositivo')
  expect(pushSentenceOf({ kind: 'test', badge: 0 }, 'en-GB')).toBe('Notifications work on this device')
})

test('PUSH-05 an unknown kind of push says that there is news, and names are inserted literally', () => {
  expect(pushSentenceOf({ kind: 'unheard-of' as 'news', name: 'Bea', badge: 0 }, 'en')).toBe(
    'There is news for you',
  )
  expect(pushSentenceOf({ kind: 'follow', name: '$& {who}', badge: 0 }, 'en')).toBe('$& {who} follows you')
})
