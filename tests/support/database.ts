/**
 * Each run starts one PostgreSQL server. `TEST_DATABASE_URL` selects an external one, `TEST_POOLER_URL` a pooler in
 * front of it.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { migrate } from '#server/database/migrate.ts'
import {
  buildMissingDatabaseSettingStatements,
  connectToDatabase,
  type Database,
  type DatabaseTimeouts,
  listStatementTimeoutMs,
} from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { patienceMs } from './wait-for.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection that creates the other databases. */
    databaseServer: string
    databaseTemplate: string
  }
}

const silent = createServerLogger('silent')

/**
 * On an external server, dropping a database is slow and slows the next `create database`. The databases are
 * therefore dropped after the run.
 */
const isExternal = Boolean(process.env.TEST_DATABASE_URL)

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const template = `juntas_test_${randomBytes(6).toString('hex')}`
  await execute(server.url, `create database ${template}`)
  await migrate(withDatabase(server.url, template), silent)
  project.provide('databaseServer', server.url)
  project.provide('databaseTemplate', template)
  return async () => {
    if (isExternal) await dropAll(server.url, template)
    await server.stop()
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL
  if (external) return { url: external, stop: async () => {} }
  const dataDir = createNonDurableFolder('juntas-tests-')
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent, durable: false })
  return {
    url,
    async stop() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Longer than in production, because test machines can be busy. */
const patientTimeouts: DatabaseTimeouts = {
  statement_timeout: patienceMs,
  list_statement_timeout: patienceMs,
  idle_in_transaction_session_timeout: patienceMs,
  lock_timeout: patienceMs,
  query_timeout: patienceMs,
}

export const timeoutsWithShortLockWait: DatabaseTimeouts = { ...patientTimeouts, lock_timeout: 5_000 }
export const timeoutsWithShortLists: DatabaseTimeouts = {
  ...patientTimeouts,
  list_statement_timeout: listStatementTimeoutMs,
}

/** @param timeouts for tests about timeouts, such as the production defaults */
export async function createTestDatabase(timeouts?: DatabaseTimeouts): Promise<Database> {
  return cloneOf(inject('databaseTemplate'), timeouts)
}

const deadlockCode = '40P01'

/** Truncating locks the tables one by one and can deadlock with the notification job, so this retries. */
export async function removeAllConversations({ pool }: Pick<Database, 'pool'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      // Truncating skips the trigger that releases photos.
      await pool.query(
        `truncate conversations cascade; update files set state = 'deleting' where purpose = 'message' and state = 'attached'`,
      )
      return
    } catch (error) {
      if (attempt > 3 || (error as { code?: string }).code !== deadlockCode) throw error
    }
}

export async function createUnmigratedTestDatabase(): Promise<Database> {
  return cloneOf('template1')
}

/**
 * As many connections as on a machine with little memory, and one more. Each connection plans all statements, so that
 * more connections would double PostgreSQL's processor time.
 */
const poolSize = 5

// Copying files is cheaper than logging each page, but it waits for a checkpoint, which is slow where disks sync.
const strategy = isExternal ? '' : ' strategy file_copy'

async function cloneOf(template: string, timeouts?: DatabaseTimeouts): Promise<Database> {
  const server = inject('databaseServer')
  const name = `${inject('databaseTemplate')}_${randomBytes(6).toString('hex')}`
  // No test crashes an external server, so asynchronous commits suffice. Planning each statement several times, as in
  // production, took a fifth of the tests' processor time.
  await execute(
    server,
    `create database ${name} template ${template}${strategy}`,
    `alter database ${name} set synchronous_commit = off`,
    `alter database ${name} set plan_cache_mode = force_generic_plan`,
  )
  if (process.env.TEST_POOLER_URL) await completeSettings(withDatabase(server, name))
  const database = connectToTestDatabase(withDatabase(server, name), timeouts)
  return {
    ...database,
    async close() {
      await database.close()
      if (!isExternal) await drop(server, name)
    },
  }
}

/** A pooler's operator must set these by hand. */
async function completeSettings(directUrl: string): Promise<void> {
  const client = new Client({ connectionString: directUrl })
  await client.connect()
  for (const statement of await buildMissingDatabaseSettingStatements(client)) await client.query(statement)
  await client.end()
}

/** External servers are busy creating databases, so the wait is longer. */
export function connectToTestDatabase(directUrl: string, timeouts = patientTimeouts): Database {
  const pooler = process.env.TEST_POOLER_URL
  const name = new URL(directUrl).pathname.slice(1)
  const given = { log: silent, connectionTimeoutMillis: patienceMs, timeouts, poolSize }
  return connectToDatabase(
    pooler ? { ...given, url: withDatabase(pooler, name), directUrl } : { ...given, url: directUrl },
  )
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Drops the template and the databases of this run. */
async function dropAll(server: string, template: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [template],
  )
  await client.end()
  for (const { datname } of rows) await drop(server, datname)
}

/** Autovacuum can make `with (force)` fail. */
async function drop(server: string, name: string): Promise<void> {
  await execute(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
    `drop database if exists ${name}`,
  )
}

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
