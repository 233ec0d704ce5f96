import { expect, test } from 'vitest'
import { normalizeTypedCode } from './normalize-typed-code.ts'

const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

test('MFA-21 a code typed in the digits of any script is read as the same code', () => {
  const zeros = everyCharacter.filter(
    (char, at) => /\p{Nd}/u.test(char) && !/\p{Nd}/u.test(everyCharacter[at - 1] ?? ''),
  )
  expect(zeros.length).toBeGreaterThan(60)
  for (const zero of zeros) {
    const start = zero.codePointAt(0) ?? 0
    const written = [2, 1, 7, 6, 3, 5].map((value) => String.fromCodePoint(start + value)).join('')
    expect(normalizeTypedCode(written)).toBe('217635')
  }
})

test('MFA-21 spaces, dashes and direction marks between the digits of a code are ignored', () => {
  for (const between of everyCharacter.filter((char) => /[\p{Z}\p{P}\p{Cf}\p{Cc}]/u.test(char))) {
    expect(normalizeTypedCode(`217${between}635${between}`)).toBe('217635')
  }
})

test('MFA-21 letters or combining marks in a code make it a different code', () => {
  for (const typed of ['21763é', '21763\u{20ac}5a', 'ab12-cd34', '217635\u0301'])
    expect(normalizeTypedCode(typed)).not.toBe('217635')
})
