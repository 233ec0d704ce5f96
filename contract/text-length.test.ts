import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { maxTextLength, minTextLength } from './text-length.ts'

const min = z.string().check(minTextLength(5))
const max = z.string().check(maxTextLength(5))
const samples = [
  '',
  'abc',
  'abcd',
  'abcde',
  'abcdef',
  '😀',
  '😀😀',
  '😀😀😀',
  '👩‍👩‍👧',
  'é'.repeat(5),
  'e\u0301e\u0301',
  '\u{1F1EA}\u{1F1F8}',
]

test('ERR-13 every length limit counts characters as JavaScript does', () => {
  for (const text of samples) {
    expect([text, min.safeParse(text).success]).toEqual([text, text.length >= 5])
    expect([text, max.safeParse(text).success]).toEqual([text, text.length <= 5])
  }
})

test('ERR-13 a text over its limit is refused with a custom message, or with a message that names the limit', () => {
  const own = z.string().check(maxTextLength(5, 'Máximo 5.')).safeParse('😀😀😀')
  expect(own.error?.issues).toMatchObject([{ message: 'Máximo 5.' }])
  expect(max.safeParse('😀😀😀').error?.issues[0]?.message).toContain('5')
})

test('ERR-13 the published JSON schema contains the length limits', () => {
  expect(z.toJSONSchema(z.string().check(minTextLength(2), maxTextLength(5)))).toMatchObject({
    minLength: 2,
    maxLength: 5,
  })
})
