import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import literals from './acceptance-strings.json' with { type: 'json' }

const root = join(import.meta.dirname, '..', '..')

/** A line break in JSX text counts as a space. */
const textOf = (files: string[]) =>
  files.map((file) => readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' ')).join('\n')

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)

const files = globSync('{web,contract}/**/*.{ts,tsx}', { cwd: root })
const sources = textOf(files.filter((file) => !isTest(file)))
const tests = textOf([...files, ...globSync('tests/journeys/*.ts', { cwd: root })].filter(isTest))

const everyLiteral = [literals.built, literals.composed, literals.later].flatMap((part) =>
  Object.values(part).flat(),
)

const ours = ['Loading…']

describe('GEN-04 the code contains the quoted strings of docs/acceptance.md byte for byte', () => {
  for (const [screen, texts] of Object.entries(literals.built)) {
    test(screen, () => {
      expect(texts.filter((text) => !sources.includes(text))).toEqual([])
    })
  }

  for (const [screen, texts] of Object.entries(literals.composed)) {
    test(`tests expect every string of ${screen} that the code composes from parts`, () => {
      expect(texts.filter((text) => !tests.includes(text))).toEqual([])
    })
  }

  test('the code contains no quoted string with typographic quotes or an ellipsis character', () => {
    const dressed = everyLiteral
      .map((text) => text.replaceAll("'", '’').replaceAll('...', '…'))
      .filter((text) => text.length > 1 && !everyLiteral.includes(text) && !ours.includes(text))
    expect(dressed.filter((text) => sources.includes(text))).toEqual([])
  })

  test('no quoted string is listed twice or contains a typographic mark', () => {
    expect(new Set(everyLiteral).size).toBe(everyLiteral.length)
    expect(everyLiteral.filter((text) => /[’‘“”…]/.test(text))).toEqual([])
  })
})
