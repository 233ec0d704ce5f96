import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#tests/database.ts'
import { createLog } from '../log.ts'
import { connect, type Database, missingTimeouts } from './open.ts'
import { countStatements } from './statements.ts'

// Past any pooler: what a connection keeps and how it breaks is between us and PostgreSQL.
let fresh: Database
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = connect({ url: fresh.directUrl, log: createLog('silent') })
})
afterAll(async () => {
  await database.close()
  await fresh.close()
})

test('keys and counts are numbers, also in lists', async () => {
  const { rows } = await database.pool.query(
    `select 9007199254740991::int8 as largest, '{1,2}'::int8[] as some, '{}'::int8[] as none, count(*) as counted`,
  )
  expect(rows).toEqual([{ largest: Number.MAX_SAFE_INTEGER, some: [1, 2], none: [], counted: 1 }])
})

test('a key that a number cannot hold is an error, never another key', async () => {
  await expect(database.pool.query('select 9007199254740993::int8')).rejects.toThrow(RangeError)
})

test('moments are Dates', async () => {
  const { rows } = await database.pool.query(`select '2026-03-01T12:00:00Z'::timestamptz as moment`)
  expect(rows).toEqual([{ moment: new Date('2026-03-01T12:00:00Z') }])
})

test('a statement is prepared once it came three times, through the pool and the query builder alike', async () => {
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

test('a named statement whose table changed fails once and works from then on', async () => {
  await database.pool.query('create table pears (id int)')
  const client = await database.pool.connect()
  const read = () => client.query('select * from pears where $1', [true])
  try {
    for (let time = 0; time < 4; time += 1) await read()
    await client.query('alter table pears add column name text')
    await expect(read()).rejects.toThrow('cached plan')
    expect((await read()).fields.map(({ name }) => name)).toEqual(['id', 'name'])
  } finally {
    client.release()
  }
})

test('statements are counted per run, without the bookkeeping of transactions', async () => {
  const { kysely } = database
  const ask = (text: string) => database.pool.query(text)
  const [one, two] = await Promise.all([
    countStatements(() =>
      kysely.transaction().execute(async (transaction) => {
        await transaction.selectNoFrom((build) => build.lit(1).as('one')).execute()
        return 'done'
      }),
    ),
    countStatements(() => Promise.all([ask('select 2'), ask('select 3')])),
  ])
  expect(one.result).toBe('done')
  expect(one.statements).toEqual(['select 1 as "one"'])
  expect(two.statements.toSorted()).toEqual(['select 2', 'select 3'])
})

test('behind a pooler the database itself has our time limits, once the operator has set them', async () => {
  const { directUrl } = database
  await database.pool.query(`alter database ${new URL(directUrl).pathname.slice(1)} reset all`)
  const pooled = () => connect({ url: directUrl, directUrl, log: createLog('silent') })
  const before = pooled()
  const missing = await missingTimeouts(before.pool)
  expect(missing).toEqual([
    expect.stringMatching(/^alter database \w+ set idle_in_transaction_session_timeout = 5000$/),
    expect.stringMatching(/^alter database \w+ set lock_timeout = 2000$/),
    expect.stringMatching(/^alter database \w+ set statement_timeout = 4000$/),
  ])
  for (const statement of missing) await before.pool.query(statement)
  await before.close()
  const after = pooled()
  expect(await missingTimeouts(after.pool)).toEqual([])
  await after.close()
})

test('connections that the server cuts, idle or at work, are replaced', async () => {
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

test('a rollback on a connection that broke says that, in the code SQL has for it', async () => {
  const writing = database.kysely.transaction().execute(async (transaction) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction)
  })
  await expect(writing).rejects.toMatchObject({ code: expect.stringMatching(/^(08006|57P01|ECONN)/) })
})
