import { totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Client, type CustomTypesConfig, Pool, types } from 'pg'
import type { Config } from '#server/config.ts'
import type { ServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { choosePostgres } from './choose-postgres-binaries.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { createPreparedStatementNames, createPreparingPgClientClass } from './prepared-statements.ts'
import type { DatabaseTables } from './schema.ts'

export type Database = {
  kysely: Kysely<DatabaseTables>
  pool: Pool
  /**
   * Runs lists composed by callers on separate connections with a timeout of one second, so that they never
   * delay other requests. `createExpensiveListQueryLimiter` shares out the `listConnectionCount` connections.
   */
  withListConnection<T>(work: (db: Kysely<DatabaseTables>) => Promise<T>): Promise<T>
  /** Bypasses any pooler, for connections that need a session: LISTEN, migrations and backups. */
  directUrl: string
  embedded: boolean
  close(): Promise<void>
}

const POOL_SIZE = 10
const smallMachineBytes = 1e9
const smallMachinePoolSize = 4
export const listConnectionCount = 4
export const listStatementTimeoutMs = 1_000
/** Timeouts in milliseconds, shorter than a proxy's, so that the server answers first. */
const sessionTimeouts = {
  statement_timeout: 4_000,
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 2_000,
}
export const databaseTimeouts = {
  ...sessionTimeouts,
  list_statement_timeout: listStatementTimeoutMs,
  query_timeout: 5_000,
}
export type DatabaseTimeouts = Record<keyof typeof databaseTimeouts, number>
/**
 * JIT is off, because the planner sometimes spends 380 ms on compiling a statement that runs for 1 ms
 * (docs/decisions/0174).
 */
const startupOptions = '-c jit=off'

/** @throws StartupError if PostgreSQL is unreachable, older than version 15 or not UTF-8 */
export async function openDatabase(config: Config, log: ServerLogger): Promise<Database> {
  if (config.databaseUrl) {
    const database = connectToDatabase({ url: config.databaseUrl, directUrl: config.databaseDirectUrl, log })
    await checkServer(database.pool).catch(async (error) => {
      await database.close()
      throw error
    })
    if (config.databaseDirectUrl) {
      const missing = await buildMissingDatabaseSettingStatements(database.pool)
      if (missing.length > 0) log.warn({ missing }, 'the database behind the pooler lacks our settings')
    }
    return database
  }
  const { url, stop } = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    found: choosePostgres({ dataDir: config.dataDir, setting: config.postgresBin }),
  })
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const database = connectToDatabase({ url, log, poolSize: choosePoolSize(memory) })
  return {
    ...database,
    embedded: true,
    async close() {
      await database.close()
      await stop()
    },
  }
}

/**
 * Each connection keeps plans of up to 40 MB, and PostgreSQL shares a small machine with the server (decision
 * 0230).
 * @param memory bytes that this machine or container has
 */
export const choosePoolSize = (memory: number): number =>
  memory < smallMachineBytes ? smallMachinePoolSize : POOL_SIZE

/**
 * @param options.directUrl given if `url` is a pooler; nothing is then prepared or set per session
 * @param options.connectionTimeoutMillis for new connections
 * @param options.timeouts longer for slow test machines
 */
export function connectToDatabase(options: {
  url: string
  directUrl?: string
  log: ServerLogger
  poolSize?: number
  connectionTimeoutMillis?: number
  timeouts?: DatabaseTimeouts
}): Database {
  const { url, directUrl, log, poolSize = POOL_SIZE } = options
  const { connectionTimeoutMillis = 3_000, timeouts = databaseTimeouts } = options
  const { query_timeout, list_statement_timeout, ...ofSession } = timeouts
  const pooled = directUrl !== undefined
  const open = (max: number, statementTimeout: number) => {
    const pool = new Pool({
      connectionString: url,
      max,
      types: numbers,
      keepAlive: true,
      Client: createPreparingPgClientClass(pooled ? null : createPreparedStatementNames()),
      connectionTimeoutMillis,
      query_timeout,
      ...(pooled ? {} : { ...ofSession, statement_timeout: statementTimeout, options: startupOptions }),
    })
    // Without a listener, the `error` of a broken connection would end the process. The pool replaces the
    // connection.
    pool.on('connect', (client: Client) => {
      client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'))
    })
    pool.on('error', () => {})
    return { pool, kysely: new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool }) }) }
  }
  const { pool, kysely } = open(poolSize, ofSession.statement_timeout)
  const lists = open(listConnectionCount, list_statement_timeout)
  return {
    kysely,
    pool,
    withListConnection: pooled
      ? (work) =>
          lists.kysely.transaction().execute(async (db) => {
            await sql`set local statement_timeout = ${sql.lit(list_statement_timeout)}`.execute(db)
            return work(db)
          })
      : (work) => lists.kysely.connection().execute(work),
    directUrl: directUrl ?? url,
    embedded: false,
    async close() {
      await Promise.all([pool.end(), lists.pool.end()])
    },
  }
}

/**
 * A pooler does not allow settings per session. Without the timeouts, a statement runs on after its caller
 * received a 503.
 * @returns statements that set the timeouts and `jit` for the database
 */
export async function buildMissingDatabaseSettingStatements(db: Pool | Client): Promise<string[]> {
  const settings = { ...sessionTimeouts, jit: 'off' }
  const { rows } = await db.query<{ name: keyof typeof settings; database: string }>(
    `select name, quote_ident(current_database()) as database from pg_settings
     where (name = any ($1) and setting = '0') or (name = 'jit' and setting = 'on') order by name`,
    [Object.keys(sessionTimeouts)],
  )
  return rows.map(({ name, database }) => `alter database ${database} set ${name} = ${settings[name]}`)
}

const INT8 = 20
const INT8_LIST = 1016

/** Throws for values beyond 2^53, which a number cannot represent exactly. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit in a number`)
  return value
}

const safeIntegers = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger))

const numbers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return safeInteger
    if (oid === INT8_LIST) return safeIntegers
    return types.getTypeParser(oid, format as 'text')
  },
}

type Server = { version: number; encoding: string }

const MAX_ATTEMPTS = 10
/** The SQLSTATE of a PostgreSQL that is still starting. */
const STARTING_UP = '57P03'

/** Retries every second, because the server and PostgreSQL may be starting together. */
async function readServer(pool: Pool): Promise<Server | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await pool.query<Server>(
        `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
      )
      return rows[0]
    } catch (thrown) {
      const error = thrown as Error & { code?: string }
      const starting = error.code === STARTING_UP || /timeout/i.test(error.message)
      if (!starting || attempt === MAX_ATTEMPTS) {
        throw new StartupError(`The database at DATABASE_URL does not answer: ${error.message || error}`)
      }
      await pause(1000)
    }
  }
}

async function checkServer(pool: Pool): Promise<void> {
  const server = await readServer(pool)
  if (!server || server.version < 150_000) {
    const major = Math.floor((server?.version ?? 0) / 10_000)
    throw new StartupError(`DATABASE_URL leads to PostgreSQL ${major}; Juntas needs 15 or newer.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new StartupError(
      `The database at DATABASE_URL stores text as ${server.encoding}; Juntas needs one created with encoding UTF8.`,
    )
  }
}
