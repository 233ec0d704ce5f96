import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isInDefaultTier } from '#scripts/test-tiers.ts'
import literals from './acceptance-strings.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Matches `HOME-03`, `A12` or `FI9`. */
const leadingIds = /^(?:(?:[A-Z]{1,6}-\d{2}|[A-Z]\d{2}|[A-Z]{2}\d{1,2})(?:\s+|$))+/

/** A title may be in a table or in a neighbouring file. */
const literal = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g

type Named = { id: string; file: string; inDefaultTier: boolean }

const named: Named[] = [
  ...new Set([
    ...globSync('{contract,server,web,scripts,bench}/**/*.test.{ts,tsx}', { cwd: root }),
    ...globSync('tests/**/*.ts', { cwd: root }),
  ]),
].flatMap((file) => {
  const texts = [...read(file).matchAll(literal)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  )
  return texts.flatMap((text) =>
    (leadingIds.exec(text)?.[0].trim().split(/\s+/) ?? []).map((id) => ({
      id,
      file,
      inDefaultTier: isInDefaultTier(file, text),
    })),
  )
})

const idsIn = (book: string): string[] =>
  [...read(`docs/${book}`).matchAll(/^\| ([A-Z]{1,6}-?\d{1,2})\b/gm)].map(([, id]) => String(id))

const rows = idsIn('acceptance.md')
const known = new Set([rows, idsIn('attacks.md'), idsIn('permissions.md'), idsIn('benchmarks.md')].flat())

describe('the documents and the tests name the same ids', () => {
  test('no row appears twice in docs/acceptance.md', () => {
    expect(rows.filter((id, index) => rows.indexOf(id) !== index)).toEqual([])
    expect(rows.length).toBeGreaterThanOrEqual(446)
  })

  test('the table at the top of docs/acceptance.md lists every group of rows', () => {
    const [, head = ''] = /\| group \| ids \|\n([\s\S]*?)\n\n/.exec(read('docs/acceptance.md')) ?? []
    const listed = [...head.matchAll(/^\|.*\| (.*) \|$/gm)].flatMap(
      ([, ids = '']) => ids.match(/[A-Z]+/g) ?? [],
    )
    expect([...listed].sort()).toEqual([...new Set(rows.map((id) => id.split('-')[0]))].sort())
  })

  test('each id at the start of a test title exists in a document', () => {
    expect(named.filter(({ id }) => !known.has(id))).toEqual([])
  })

  test('each row of docs/acceptance.md has a test', () => {
    const tested = new Set(named.map(({ id }) => id))
    expect(rows.filter((id) => !tested.has(id))).toEqual([])
  })

  test('every row that docs/attacks.md names exists in docs/acceptance.md', () => {
    const [, section = ''] = /## M – .*\n([\s\S]*?)\n## /.exec(read('docs/attacks.md')) ?? []
    const held = [...section.matchAll(/^\| M\d\d \|.*\| (.*) \|$/gm)].map(([, ids = '']) => ids.split(' '))
    expect(held).toHaveLength(31)
    expect(held.flat().filter((id) => !rows.includes(id))).toEqual([])
  })

  test('the default tier tests every group of rows', () => {
    const groupOf = (id: string) => id.split('-')[0]
    const tested = new Set(named.filter(({ inDefaultTier }) => inDefaultTier).map(({ id }) => groupOf(id)))
    expect([...new Set(rows.map(groupOf))].filter((group) => !tested.has(group))).toEqual([])
  })

  test('docs/acceptance.md contains every listed string, byte for byte', () => {
    const book = read('docs/acceptance.md')
    const listed = [literals.built, literals.composed, literals.later].flatMap((part) =>
      Object.values(part).flat(),
    )
    expect(listed.filter((text) => !book.includes(text))).toEqual([])
  })
})
