import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createServerLogger } from '#server/log.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open-database.ts'

const log = createServerLogger('silent')
let database: Database
let folder: string

beforeEach(async () => {
  database = await createUnmigratedTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'juntas-migrations-'))
  write('0001-trees.sql', 'create table trees (id int)')
  write('0002-leaves.sql', 'create table leaves (id int); insert into leaves values (1)')
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql)
const run = () => migrate(database.directUrl, log, folder)
const applied = async () =>
  (await database.pool.query('select name from migrations order by number')).rows.map(({ name }) => name)

test('migration files are applied in order, and only once', async () => {
  await run()
  await run()
  expect(await applied()).toEqual(['0001-trees.sql', '0002-leaves.sql'])
  expect((await database.pool.query('select * from leaves')).rows).toEqual([{ id: 1 }])
})

test('two nodes starting together migrate one after the other', async () => {
  await Promise.all([run(), run(), run()])
  expect(await applied()).toEqual(['0001-trees.sql', '0002-leaves.sql'])
})

test('a failing migration changes nothing, and the next start completes it', async () => {
  write('0003-roots.sql', 'create table roots (id int); select * from nowhere')
  await expect(run()).rejects.toThrow('0003-roots.sql')
  expect(await applied()).toEqual(['0001-trees.sql', '0002-leaves.sql'])
  write('0003-roots.sql', 'create table roots (id int)')
  await run()
  expect(await applied()).toContain('0003-roots.sql')
})

test('T30 the next run completes a migration whose connection was killed', async () => {
  write('0003-slow.sql', 'create table slow (id int); select pg_sleep(600)')
  const killed = expect(run()).rejects.toThrow()
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`
  await expect.poll(async () => (await database.pool.query(kill)).rowCount).toBe(1)
  await killed
  write('0003-slow.sql', 'create table slow (id int)')
  await run()
  expect(await applied()).toContain('0003-slow.sql')
})

test('an edited migration stops the start, and different line endings do not', async () => {
  await run()
  write('0001-trees.sql', 'create table trees (id bigint)')
  await expect(run()).rejects.toThrow('0001-trees.sql was edited after it was applied')
})

test('a database schema newer than the program stops the start', async () => {
  write('0003-later.sql', 'create table later (id int)')
  await run()
  rmSync(join(folder, '0003-later.sql'))
  await expect(run()).rejects.toThrow('newer Juntas (0003-later.sql)')
})

test('a gap or a repeated number among the migrations stops the start', async () => {
  write('0002-branches.sql', 'create table branches (id int)')
  await expect(run()).rejects.toThrow('0002-leaves.sql is out of line')
})
