import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/open-database.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  whereTextContains,
  whereTextEndsWith,
  whereTextEqualsAny,
  whereTextStartsWith,
} from './text-search.ts'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const folded = (text: string) => sql`fold(${text}::text)`
async function holds(condition: RawBuilder<boolean>): Promise<boolean | undefined> {
  const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds`.execute(database.kysely)
  return rows[0]?.holds
}

test.each([
  ['100%_ \\ segura', '100%_ \\', true],
  ['1000 segura', '100%', false],
  ['100％ segura', '100%', true],
  ['Ñandú', 'ñan', true],
  ['Ñandú', 'NAN', true],
  ['e\u0301xito', 'É', true],
  ['a', '', true],
  ['a', '\u0301', true],
])('"%s" begins with "%s": %s', async (text, term, expected) => {
  expect(await holds(whereTextStartsWith(folded(text), term))).toBe(expected)
})

test.each([
  ['cae la TARDE', 'tarde', true],
  ['cien %', '%', true],
  ['cien', '%', false],
  ['a_', '_', true],
  ['a\\', '\\', true],
  ['mañana', 'NA', true],
])('"%s" ends with "%s": %s', async (text, term, expected) => {
  expect(await holds(whereTextEndsWith(folded(text), term))).toBe(expected)
})

test.each([
  ['a beginning', (text: RawBuilder<unknown>) => whereTextStartsWith(text, 'ñan')],
  ['an end', (text: RawBuilder<unknown>) => whereTextEndsWith(text, 'arde')],
  ['a part', (text: RawBuilder<unknown>) => whereTextContains(text, 'tar')],
  ['a whole text', (text: RawBuilder<unknown>) => whereTextEqualsAny(text, ['una tarde', 'otra'])],
])('an index finds %s of a caption, a location and the tags', async (_, condition) => {
  const plan = await database.kysely.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const plans = ['caption', 'location', 'tags'].map(async (column) => {
      const where = condition(sql.ref(`p.${column}_folded`))
      const { rows } = await sql<Record<string, string>>`explain select from posts p where ${where}`.execute(
        db,
      )
      return JSON.stringify(rows)
    })
    return Promise.all(plans)
  })
  for (const each of plan) expect(each).toContain('Bitmap Index Scan on posts_by_day_and_text')
})
