import { expect, test } from 'vitest'
import { completeMention, findMentionAtCaret } from './mention-at-caret.ts'

const at = (text: string) => findMentionAtCaret(text.replace('|', ''), text.indexOf('|'))

test('MEN-01 an @ and a letter before the caret start a mention', () => {
  expect(at('@b|')).toEqual({ start: 0, end: 2, term: 'b' })
  expect(at('hola @be| y adiós')).toEqual({ start: 5, end: 8, term: 'be' })
  expect(at('(@José.l-2|')).toEqual({ start: 1, end: 10, term: 'José.l-2' })
  for (const none of [
    '@|',
    'hola|',
    'a@b|',
    'ana@correo.example|',
    '@be |',
    '@@b|',
    'x @be| '.replace('|', ' |'),
  ])
    expect(at(none), none).toBeNull()
})

test('MEN-01 the full name replaces the typed part, and the text continues after a space', () => {
  const complete = (text: string) => {
    const found = at(text)
    return found && completeMention(text.replace('|', ''), found, 'bea.sol')
  }
  expect(complete('@be|')).toEqual({ text: '@bea.sol ', caret: 9 })
  expect(complete('hola @be| y')).toEqual({ text: 'hola @bea.sol y', caret: 14 })
  expect(complete('@b|ea, hola')).toEqual({ text: '@bea.sol , hola', caret: 9 })
})
