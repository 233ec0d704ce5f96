import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'

test('no unique index contains a generated column, because every update would lock its row as a key change', async () => {
  const database = await createTestDatabase()
  try {
    const { rows } = await database.pool.query(
      `select i.indrelid::regclass::text as table, a.attname as column
       from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       where i.indisunique and i.indexprs is null and i.indpred is null and a.attgenerated <> ''
         and i.indrelid in (select tgrelid from pg_trigger where not tgisinternal and tgtype & 1 = 1 and tgtype & 2 = 2
           and tgtype & 16 = 16)`,
    )
    expect(rows).toEqual([])
  } finally {
    await database.close()
  }
})
