import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTypedMention, splitAtMentions } from '#contract/comments/mention-grammar.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
  await w.join('Bea')
  await w.database.pool.query("update users set username = 'bea'")
})
afterAll(() => w.end())

const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((char) => !/[\p{Cn}\p{Co}]/u.test(char))
  // Keeps one in fifty of 90,000 similar ideographs and Hangul syllables.
  .filter((char, at) => at % 50 === 0 || !/[\p{Unified_Ideograph}\uAC00-\uD7A3]/u.test(char))

const isShown = (text: string) => splitAtMentions(text, (name) => name === 'bea').length > 1
/** Sends the queries in batches, to stay within the database's time limit. */
const findStored = async (texts: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>()
  for (let at = 0; at < texts.length; at += 5000) {
    const { rows } = await w.database.pool.query<{ text: string }>(
      'select given.text from unnest($1::text[]) as given (text) cross join lateral mentioned_members(given.text)',
      [texts.slice(at, at + 5000)],
    )
    for (const { text } of rows) found.add(text)
  }
  return found
}

test('MEN-07 a mention begins after any character except letters, digits, marks, @, / and a full stop', async () => {
  const texts = everyCharacter.map((char) => `${char}@bea`)
  const stored = await findStored(texts)
  expect(texts.filter((text) => isShown(text) !== stored.has(text))).toEqual([])
  const emojiSigns = ['\uFE0E', '\uFE0F', '\u20E3']
  const expected = everyCharacter.filter(
    (char) =>
      emojiSigns.includes(char) || !/[\p{L}\p{N}\p{M}@/.]/u.test([...char.normalize('NFC')].at(-1) ?? ''),
  )
  expect(new Set(expected.map((char) => `${char}@bea`))).toEqual(stored)
})

test('MEN-07 a mention ends before any character that is neither @ nor part of a name', async () => {
  const texts = everyCharacter.map((char) => `¡@bea${char}`)
  const stored = await findStored(texts)
  expect(texts.filter((text) => isShown(text) !== stored.has(text))).toEqual([])
  for (const char of everyCharacter.filter((char) =>
    /(?![._@-])[\p{P}\p{S}\p{Z}\p{Extended_Pictographic}]/u.test(char),
  ))
    if (!/[\p{L}\p{M}\p{Nd}]/u.test(char.normalize('NFC')))
      expect([char, stored.has(`¡@bea${char}`)]).toEqual([char, true])
})

test.each([
  ['@bea❤️', true],
  ['❤️@bea', true],
  ['@bea’s', true],
  ["@bea's", true],
  ['«@bea»', true],
  ['(@bea)', true],
  ['@bea.', true],
  ['@bea...', true],
  ['-@bea-', true],
  ['@BEA', true],
  ['https://instagram.example/@bea', false],
  ['@bea@mastodon.example', false],
  ['ana@bea', false],
  ['ana@bea.example', false],
  ['@beatriz', false],
  ['@bea.triz', false],
  ['@bea\u0301', false],
  ['@@bea', false],
])('MEN-07 the text %s mentions Bea: %s', async (text, names) => {
  expect([isShown(text), (await findStored([text])).has(text)]).toEqual([names, names])
})

test('MEN-07 a decomposed spelling mentions the member with the composed username', async () => {
  await w.database.pool.query("update users set username = 'josé'")
  const text = 'hola @jose\u0301'
  expect([...(await findStored([text]))]).toEqual([text])
  expect(splitAtMentions(text, (name) => name === 'josé')).toEqual(['hola ', '@josé', ''])
  await w.database.pool.query("update users set username = 'bea'")
})

test('MEN-07 suggestions continue across vowel signs and other combining marks', () => {
  expect(findTypedMention('hola @किरण')?.term).toBe('किरण')
  expect(findTypedMention('hola @jose\u0301')?.term).toBe('jose\u0301')
  expect(findTypedMention('ana@bea')).toBeNull()
})
