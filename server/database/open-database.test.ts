import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { toFailure } from '../errors.ts'
import { collectionEffects } from '../features/collection-effects.ts'
import { createServerLogger } from '../log.ts'
import { createTransactionalStore } from '../store/store.ts'
import {
  buildMissingDatabaseSettingStatements,
  choosePoolSize,
  connectToDatabase,
  type Database,
} from './open-database.ts'
import { captureSqlStatements } from './prepared-statements.ts'

// The test connects without a pooler, to test the connection itself.
let fresh: Database
let database: Database
beforeAll(async () => {
  fresh = await createTestDatabase()
  database = connectToDatabase({ url: fresh.directUrl, log: createServerLogger('silent') })
})
afterAll(async () => {
  await database.close()
  await fresh.close()
})

test('the pool has four connections in a container of 512 MB, and ten on a machine of 1 GB', async () => {
  expect(choosePoolSize(512e6)).toBe(4)
  expect(choosePoolSize(1e9)).toBe(10)
  const small = connectToDatabase({ url: fresh.directUrl, log: createServerLogger('silent'), poolSize: 4 })
  await Promise.all(Array.from({ length: 12 }, () => small.pool.query('select 1')))
  expect(small.pool.totalCount).toBe(4)
  await small.close()
})

test('database keys and counts are read as numbers, also in arrays', async () => {
  const { rows } = await database.pool.query(
    `select 9007199254740991::int8 as largest, '{1,2}'::int8[] as some, '{}'::int8[] as none, count(*) as counted`,
  )
  expect(rows).toEqual([{ largest: Number.MAX_SAFE_INTEGER, some: [1, 2], none: [], counted: 1 }])
})

test('a key too large for a number causes an error and is never read as another key', async () => {
  await expect(database.pool.query('select 9007199254740993::int8')).rejects.toThrow(RangeError)
})

test('database timestamps are read as Dates', async () => {
  const { rows } = await database.pool.query(`select '2026-03-01T12:00:00Z'::timestamptz as moment`)
  expect(rows).toEqual([{ moment: new Date('2026-03-01T12:00:00Z') }])
})

test('JIT compilation of statements is off, regardless of the server default', async () => {
  const { rows } = await database.pool.query('show jit')
  expect(rows).toEqual([{ jit: 'off' }])
})

test('a statement is prepared at its third use, through the pool and the query builder', async () => {
  const client = await database.pool.connect()
  const prepared = async () => {
    const { rows } = await client.query(`select statement from pg_prepared_statements`)
    return rows.map(({ statement }) => statement)
  }
  try {
    for (let time = 0; time < 2; time += 1) await client.query('select $1::int as apple', [time])
    expect(await prepared()).not.toContain('select $1::int as apple')
    const third = await client.query('select $1::int as apple', [7])
    expect(third.rows).toEqual([{ apple: 7 }])
    expect(await prepared()).toContain('select $1::int as apple')
  } finally {
    client.release()
  }
})

describe('a prepared statement whose table a migration changes', () => {
  const columnsOf = (answer: { fields: { name: string }[] }) => answer.fields.map(({ name }) => name)
  const addColumn = (name: string) => fresh.pool.query(`alter table pears add column ${name} text`)
  const text = 'select * from pears where $1'
  beforeAll(() => fresh.pool.query('create table pears (id int)'))

  test('the statement is prepared again on every connection without an error', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => database.pool.connect()))
    const read = (client: PoolClient) => client.query(text, [true])
    try {
      for (const client of clients) for (let time = 0; time < 4; time += 1) await read(client)
      await addColumn('name')
      const { statements } = await captureSqlStatements(async () => {
        const answers = await Promise.all(clients.map(read))
        for (const answer of answers) expect(columnsOf(answer)).toEqual(['id', 'name'])
      })
      expect(statements).toHaveLength(3)
      for (const client of clients) {
        const prepared = await client.query(
          'select count(*) from pg_prepared_statements where statement = $1',
          [text],
        )
        // The stale statement remains prepared until the connection ends.
        expect(prepared.rows[0].count).toBe(2)
        await read(client)
      }
    } finally {
      for (const client of clients) client.release()
    }
  })

  test('an outdated statement inside a transaction ends the transaction, and the store repeats the transaction', async () => {
    const store = createTransactionalStore(database, collectionEffects, () => {})
    let begun = 0
    const work = () =>
      store.transact(async ({ db }) => {
        begun += 1
        const { rows } = await sql<{ id: number }>`select * from pears where ${true}`.execute(db)
        await sql`insert into pears (id) values (${rows.length + 1})`.execute(db)
        return rows.length
      })
    for (let time = 0; time < 4; time += 1) await work()
    begun = 0
    await addColumn('colour')
    expect(await work()).toBe(4)
    expect(begun).toBe(2)
    expect(await work()).toBe(5)
    expect(begun).toBe(3)
  })

  test('an outdated statement in a transaction outside the store causes a busy error, not a server fault', async () => {
    const work = () =>
      database.kysely.transaction().execute((db) => sql`select * from pears where ${false}`.execute(db))
    for (let time = 0; time < 4; time += 1) await work()
    await addColumn('weight')
    const refusal = await work().then(() => null, toFailure)
    expect(refusal).toMatchObject({ type: 'general_service_unavailable', retryAfter: 2 })
    await work()
  })

  test('a statement that PostgreSQL cannot run causes a server fault and is not repeated', async () => {
    const { statements } = await captureSqlStatements(async () => {
      for (let time = 0; time < 4; time += 1)
        await expect(
          sql`select id from pears where id = ${1} group by id for update`.execute(database.kysely),
        ).rejects.toMatchObject({ code: '0A000' })
    })
    expect(statements).toHaveLength(4)
  })
})

test('captureSqlStatements returns the statements of its own run, without transaction commands', async () => {
  const { kysely } = database
  const ask = (text: string) => database.pool.query(text)
  const [one, two] = await Promise.all([
    captureSqlStatements(() =>
      kysely.transaction().execute(async (transaction) => {
        await transaction.selectNoFrom((build) => build.lit(1).as('one')).execute()
        return 'done'
      }),
    ),
    captureSqlStatements(() => Promise.all([ask('select 2'), ask('select 3')])),
  ])
  expect(one.result).toBe('done')
  expect(one.statements).toEqual(['select 1 as "one"'])
  expect(two.statements.toSorted()).toEqual(['select 2', 'select 3'])
})

test('behind a pooler the database has the settings that the operator applied', async () => {
  const { directUrl } = database
  await database.pool.query(`alter database ${new URL(directUrl).pathname.slice(1)} reset all`)
  const pooled = () => connectToDatabase({ url: directUrl, directUrl, log: createServerLogger('silent') })
  const before = pooled()
  // The embedded PostgreSQL disables JIT for all its databases.
  const compiles = (await before.pool.query('show jit')).rows[0].jit === 'on'
  const missing = await buildMissingDatabaseSettingStatements(before.pool)
  expect(missing).toEqual([
    expect.stringMatching(/^alter database \w+ set idle_in_transaction_session_timeout = 5000$/),
    ...(compiles ? [expect.stringMatching(/^alter database \w+ set jit = off$/)] : []),
    expect.stringMatching(/^alter database \w+ set lock_timeout = 2000$/),
    expect.stringMatching(/^alter database \w+ set statement_timeout = 4000$/),
  ])
  for (const statement of missing) await before.pool.query(statement)
  await before.close()
  const after = pooled()
  expect(await buildMissingDatabaseSettingStatements(after.pool)).toEqual([])
  await after.close()
})

test('connections that the server cuts, idle or busy, are replaced', async () => {
  const client = await database.pool.connect()
  const idle = await database.pool.connect()
  idle.release()
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await database.pool.query(cut)
  await expect(client.query('select 1')).rejects.toThrow()
  client.release()
  const answer = () => database.pool.query('select 1 as back').then(({ rows }) => rows, String)
  await expect.poll(answer).toEqual([{ back: 1 }])
})

test('a rollback on a broken connection reports the SQLSTATE of the broken connection', async () => {
  const writing = database.kysely.transaction().execute(async (transaction) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction)
  })
  await expect(writing).rejects.toMatchObject({ code: expect.stringMatching(/^(08006|57P01|ECONN)/) })
})
