import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { tablesExcludedFromBackup } from '#server/backup/copy-tables.ts'
import { createBackup } from '#server/backup/create-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { createServerLogger } from '#server/log.ts'
import { createTestDatabase, createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { findBrokenInvariants } from './invariants.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open-database.ts'
import { squashedMigrations } from './squashed-migrations.ts'

/**
 * The demo data at the last commit with squashed migrations, with added rows for empty tables. Dumped with
 * `pg_dump --inserts --no-owner --no-comments --no-privileges` of PostgreSQL 15, with `search_path` set to
 * public. PostgreSQL 18 can read it.
 */
const dump = gunzipSync(
  readFileSync(join(import.meta.dirname, '../../tests/fixtures/before-squashing.sql.gz')),
).toString()

const log = createServerLogger('silent')
const names = readdirSync(join(import.meta.dirname, 'migrations')).sort()
let old: Database

beforeEach(async () => {
  old = await createUnmigratedTestDatabase()
  // The dump changes settings of its session, so the test closes this connection afterwards.
  const client = new Client({ connectionString: old.directUrl })
  await client.connect()
  await client.query(dump)
  await client.end()
  columnsInDump = await listColumns(old)
})
afterEach(() => old.close())

const start = () => migrate(old.directUrl, log)

async function ledger({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by number')
  return rows.map(({ name }) => name)
}

/** Texts that also have a stored folded form. */
const foldedColumns = [
  { table: 'posts', columns: ['caption', 'location', 'tags'] },
  { table: 'users', columns: ['name', 'username', 'bio'] },
  { table: 'groups', columns: ['name', 'description'] },
  { table: 'messages', columns: ['content'] },
  { table: 'files', columns: ['name'] },
]

type Content = Record<string, { rows: number; hash: string }>

/** Columns that later migrations extend. */
const changedColumns = ['notification_delivery.push_kinds', 'notification_delivery.mail_kinds']

let columnsInDump: string[]

/** Derived columns and the list of migrations are left out. */
async function listColumns({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ place: string }>(
    `select format('%s.%s', relname, attname) as place
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  )
  return rows.map(({ place }) => place)
}

/** Reads the columns of the dump. Later migrations add others, which are constant or filled from them. */
async function contentOf({ pool }: Database): Promise<Content> {
  const { rows: tables } = await pool.query<{ name: string; columns: string }>(
    `select relname::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
       and format('%s.%s', relname, attname) = any ($1) and format('%s.%s', relname, attname) <> all ($2)
     where relnamespace = 'public'::regnamespace and relkind = 'r' group by 1 order by 1`,
    [columnsInDump, changedColumns],
  )
  const content: Content = {}
  for (const { name, columns } of tables) {
    const { rows } = await pool.query<Content[string]>(
      `select count(*)::int as rows, md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as hash
       from (select ${columns} from ${name}) t`,
    )
    content[name] = rows[0] as Content[string]
  }
  return content
}

/**
 * Returns PostgreSQL's own description of the complete schema, with the order of columns. Omits the brackets
 * of triggers, because a dump nests them differently.
 */
async function schemaOf({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `with ours as (select oid from pg_namespace where nspname = 'public'),
       own as (select p.oid from pg_proc p where pronamespace = (select oid from ours)
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
     select format('column %s %s %s %s %s %s %s %s %s', attrelid::regclass, row_number() over (partition by attrelid order by attnum), attname, format_type(atttypid, atttypmod),
       attcollation::regcollation, attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid)) as line
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid in (select oid from pg_class where relkind = 'r' and relnamespace = (select oid from ours)) and attnum > 0 and not attisdropped
     union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint where connamespace = (select oid from ours)
     union all select pg_get_indexdef(indexrelid)
     from pg_index where indrelid in (select oid from pg_class where relnamespace = (select oid from ours))
     union all select translate(pg_get_triggerdef(oid), '()', '') from pg_trigger where not tgisinternal
     union all select pg_get_functiondef(oid) from own
     union all select format('domain %s %s %s', typname, format_type(typbasetype, typtypmod), typcollation::regcollation)
     from pg_type where typtype = 'd' and typnamespace = (select oid from ours)
     union all select format('sequence %s', s) from (select sequencename, data_type, start_value, increment_by, cycle, cache_size
       from pg_sequences where schemaname = 'public') s
     union all select format('extension %s', extname) from pg_extension
     order by 1`,
  )
  return rows.map(({ line }) => line)
}

describe('a database with the migrations from before they were squashed', () => {
  test('the first of three nodes that start together converts the database and loses nothing', async () => {
    const before = await contentOf(old)
    expect(Object.values(before).every(({ rows }) => rows > 0)).toBe(true)
    expect(await ledger(old)).toHaveLength(squashedMigrations.count)
    const born = 'select min(applied_at) as born from migrations'
    const { rows: age } = await old.pool.query(born)

    await Promise.all([start(), start(), start()])

    expect(await ledger(old)).toEqual(names)
    expect(await contentOf(old)).toEqual(before)
    expect((await old.pool.query(born)).rows).toEqual(age)
    const { rows: kinds } = await old.pool.query('select push_kinds, mail_kinds from notification_delivery')
    expect(kinds).toEqual([
      {
        push_kinds: expect.arrayContaining(['message', 'follow', 'comment', 'reply']),
        mail_kinds: expect.arrayContaining(['mention', 'comment', 'reply']),
      },
    ])
    expect(await findBrokenInvariants(old.pool)).toEqual([])
  })

  test('a converted database has its texts folded like a new database', async () => {
    await start()
    for (const { table, columns } of foldedColumns) {
      for (const column of columns) {
        const { rows } = await old.pool.query<{ rows: number; wrong: number }>(
          `select count(*)::int as rows, count(*) filter (where ${column}_folded is distinct from fold(${column}))::int as wrong
           from ${table}`,
        )
        expect(rows[0]?.rows).toBeGreaterThan(0)
        expect(rows[0]?.wrong).toBe(0)
      }
    }
  })

  test('a converted database has the same schema as a new database', async () => {
    await start()
    const fresh = await createTestDatabase()
    const schema = await schemaOf(fresh)
    expect(schema.length).toBeGreaterThan(300)
    expect(await schemaOf(old)).toEqual(schema)
    await fresh.close()
  })

  test('an interrupted conversion keeps the old migration table, and the next start completes the conversion', async () => {
    const before = await ledger(old)
    await old.pool.query(`create function break_off() returns trigger language plpgsql as
      $$ begin raise exception 'broken off'; end $$`)
    await old.pool.query(
      'create trigger break_off before delete on migrations for each statement execute function break_off()',
    )
    await expect(start()).rejects.toThrow('broken off')
    expect(await ledger(old)).toEqual(before)
    await old.pool.query('drop function break_off cascade')
    await start()
    expect(await ledger(old)).toEqual(names)
  })

  test('a database that stopped halfway through the old migrations is refused, naming the version that updates it', async () => {
    await old.pool.query('delete from migrations where number > 17')
    const before = await contentOf(old)
    await expect(start()).rejects.toThrow(
      'stopped at 0017-newer-accounts.sql, migration 17 of 78 before they were squashed: bring it up to date with Juntas at commit b3e8d27 first.',
    )
    expect(await ledger(old)).toHaveLength(17)
    expect(await contentOf(old)).toEqual(before)
  })

  test('a database with an edited migration is refused', async () => {
    await old.pool.query(`update migrations set checksum = 'edited' where number = 5`)
    await expect(start()).rejects.toThrow('One of the first 78 migrations was edited')
    expect(await ledger(old)).toHaveLength(squashedMigrations.count)
  })

  test('a database that also ran later migrations keeps them, with the age of each', async () => {
    const { rows: squashed } = await old.pool.query('select * from migrations order by number')
    await start()
    const { rows: later } = await old.pool.query(
      'select * from migrations where number > $1 order by number',
      [squashedMigrations.replacementCount],
    )
    const shift = squashedMigrations.count - squashedMigrations.replacementCount
    await old.pool.query('delete from migrations')
    await old.pool.query(
      'insert into migrations select * from jsonb_populate_recordset(null::migrations, $1::jsonb)',
      [
        JSON.stringify([
          ...squashed,
          ...later.map((row) => ({ ...row, number: row.number + shift, name: 'renumbered.sql' })),
        ]),
      ],
    )
    const before = await contentOf(old)

    await start()

    expect(await ledger(old)).toEqual(names)
    const { rows } = await old.pool.query('select * from migrations where number > $1 order by number', [
      squashedMigrations.replacementCount,
    ])
    expect(rows).toEqual(later)
    expect(await contentOf(old)).toEqual(before)
  })

  test('backups of the old database restore with the new migration names', async () => {
    const folder = createNonDurableFolder('juntas-before-squashing-')
    const blobs = await openBlobStore({ dataDir: join(folder, 'data') })
    const target = await createUnmigratedTestDatabase()
    try {
      const before = Object.fromEntries(
        Object.entries(await contentOf(old)).filter(([table]) => !tablesExcludedFromBackup.includes(table)),
      )
      await createBackup({ url: old.directUrl, blobs }, join(folder, 'backup'))
      const restored = await restoreBackup(
        join(folder, 'backup'),
        { url: target.directUrl, blobs, log },
        { keepSignIns: true },
      )
      expect(restored.migrations).toHaveLength(squashedMigrations.count)
      expect(restored.broken).toEqual([])
      expect(await ledger(target)).toEqual(names)
      expect(await contentOf(target)).toMatchObject(before)
    } finally {
      await target.close()
      rmSync(folder, { recursive: true })
    }
  })
})
