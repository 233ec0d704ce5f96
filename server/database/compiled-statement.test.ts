import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { compileStatementOnce } from './compiled-statement.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('a compiled statement is built once and runs with the values of each call', async () => {
  let built = 0
  const add = compileStatementOnce<
    { one: number; other: number; word: string },
    { sum: number; said: string }
  >((value) => {
    built += 1
    return sql`select ${value('one')}::int + ${value('other')}::int + ${value('one')}::int + ${1000}::int as sum,
        ${value('word')}::text as said`
  })
  const { kysely } = w.database
  expect(await add(kysely, { one: 1, other: 10, word: '$1' })).toEqual([{ sum: 1012, said: '$1' }])
  expect(await add(kysely, { one: 2, other: 20, word: 'dos' })).toEqual([{ sum: 1024, said: 'dos' }])
  expect(await Promise.all([3, 4].map((one) => add(kysely, { one, other: 0, word: String(one) })))).toEqual([
    [{ sum: 1006, said: '3' }],
    [{ sum: 1008, said: '4' }],
  ])
  expect(built).toBe(1)
})

test('a value used in twelve places is sent once, and the other values keep their places', async () => {
  const values = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`v${n}`, n]))
  const list = compileStatementOnce<Record<string, number>, { all: number[] }>(
    (value) =>
      sql`select array[${sql.join([...Object.keys(values), 'v0', 'v10', ...Object.keys(values)].map((name) => sql`${value(name)}::int`))}] as all`,
  )
  const numbers = Object.values(values)
  expect(await list(w.database.kysely, values)).toEqual([{ all: [...numbers, 0, 10, ...numbers] }])
})
