import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeRowsByTier, findNamedRows, groupOfRow, readRowIds } from '#scripts/acceptance-rows.ts'
import literals from './acceptance-strings.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const named = findNamedRows()
const rows = readRowIds('acceptance.md')
const known = new Set(
  [rows, readRowIds('attacks.md'), readRowIds('permissions.md'), readRowIds('benchmarks.md')].flat(),
)

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
    expect([...listed].sort()).toEqual([...new Set(rows.map(groupOfRow))].sort())
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
    const tested = new Set(named.filter(({ inDefaultTier }) => inDefaultTier).map(({ id }) => groupOfRow(id)))
    expect([...new Set(rows.map(groupOfRow))].filter((group) => !tested.has(group))).toEqual([])
  })

  test('a developer sees how many rows each tier tests, and which rows only --all tests', () => {
    const file = 'server/main.test.ts'
    const listed = describeRowsByTier(
      ['HOME-01', 'HOME-02', 'AUTH-01'],
      [
        { id: 'HOME-01', file, inDefaultTier: true },
        { id: 'HOME-01', file, inDefaultTier: false },
        { id: 'HOME-02', file, inDefaultTier: false },
      ],
    )
    expect(listed.split('\n').slice(1)).toEqual([
      'HOME            2        1        2  HOME-02',
      'AUTH            1        0        0  AUTH-01',
      'together        3        1        2',
    ])
  })

  test('docs/acceptance.md contains every listed string, byte for byte', () => {
    const book = read('docs/acceptance.md')
    const listed = [literals.built, literals.composed, literals.later].flatMap((part) =>
      Object.values(part).flat(),
    )
    expect(listed.filter((text) => !book.includes(text))).toEqual([])
  })
})
