import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { type Client, type CustomTypesConfig, Pool, types } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { startEmbedded } from './embedded.ts'
import type { Tables } from './schema.ts'
import { clientThatPrepares, statementNames } from './statements.ts'

export type Database = {
  kysely: Kysely<Tables>
  pool: Pool
  /** For a connection of one's own, past any pooler: LISTEN, migrations. */
  directUrl: string
  embedded: boolean
  /** Ends the pool, and the PostgreSQL if it is the embedded one. */
  close(): Promise<void>
}

const POOL_SIZE = 10
/** Shorter than any proxy's patience, so that a slow statement is answered by us and frees its connection. */
const timeouts = {
  statement_timeout: 4_000,
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 2_000,
}
const clientTimeouts = { connectionTimeoutMillis: 3_000, query_timeout: 5_000 }

/**
 * Opens the configured database: `DATABASE_URL`, or the embedded PostgreSQL of the data folder.
 * @throws CannotStart when it cannot be reached, is older than 15 or not UTF-8.
 */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl) {
    const database = connect({ url: config.databaseUrl, directUrl: config.databaseDirectUrl, log })
    await checkServer(database.pool).catch(async (error) => {
      await database.close()
      throw error
    })
    if (config.databaseDirectUrl) {
      const missing = await missingTimeouts(database.pool)
      if (missing.length > 0) log.warn({ missing }, 'statements behind the pooler have no time limit')
    }
    return database
  }
  const { url, stop } = await startEmbedded({ dataDir: config.dataDir, log })
  const database = connect({ url, log })
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
 * A pool and a query builder on a running server.
 * @param options.directUrl means that `url` leads through a pooler: nothing is prepared or set per session there.
 */
export function connect(options: { url: string; directUrl?: string; log: Log }): Database {
  const { url, directUrl, log } = options
  const pooled = directUrl !== undefined
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    types: numbers,
    keepAlive: true,
    Client: clientThatPrepares(pooled ? null : statementNames()),
    ...clientTimeouts,
    ...(pooled ? {} : timeouts),
  })
  // A connection that breaks says so twice: to the query in flight, which fails, and here, where silence would end
  // the process. The pool replaces it by itself.
  pool.on('connect', (client: Client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'))
  })
  pool.on('error', () => {})
  return {
    kysely: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    directUrl: directUrl ?? url,
    embedded: false,
    close: () => pool.end(),
  }
}

/**
 * Which of our time limits a connection lacks, as the statements that set them for all that come after it. Behind a pooler
 * nothing is set per session, and without a limit a statement would run on long after its asker has been told 503.
 */
export async function missingTimeouts(db: Pool | Client): Promise<string[]> {
  const { rows } = await db.query<{ name: keyof typeof timeouts; database: string }>(
    `select name, quote_ident(current_database()) as database from pg_settings
     where name = any ($1) and setting = '0' order by name`,
    [Object.keys(timeouts)],
  )
  return rows.map(({ name, database }) => `alter database ${database} set ${name} = ${timeouts[name]}`)
}

const INT8 = 20
const INT8_LIST = 1016

/** Keys and counts are int8 in SQL and numbers here. One beyond 2^53 would be another number: that is a bug. */
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

const MOST_ASKINGS = 10
/** A PostgreSQL that is starting says so. */
const STARTING_UP = '57P03'

/**
 * Asks again where only time is missing: on a busy machine our own start can keep the answer waiting longer than a request
 * would, and whatever starts both of us may have started us first.
 */
async function askServer(pool: Pool): Promise<Server | undefined> {
  for (let asking = 1; ; asking += 1) {
    try {
      const { rows } = await pool.query<Server>(
        `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
      )
      return rows[0]
    } catch (thrown) {
      const error = thrown as Error & { code?: string }
      const early = error.code === STARTING_UP || /timeout/i.test(error.message)
      if (!early || asking === MOST_ASKINGS) {
        throw new CannotStart(`The database at DATABASE_URL does not answer: ${error.message || error}`)
      }
      await pause(1000)
    }
  }
}

async function checkServer(pool: Pool): Promise<void> {
  const server = await askServer(pool)
  if (!server || server.version < 150_000) {
    const major = Math.floor((server?.version ?? 0) / 10_000)
    throw new CannotStart(`DATABASE_URL leads to PostgreSQL ${major}; Juntas needs 15 or newer.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new CannotStart(
      `The database at DATABASE_URL stores text as ${server.encoding}; Juntas needs one created with encoding UTF8.`,
    )
  }
}
