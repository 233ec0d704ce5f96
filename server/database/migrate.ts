import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Log } from '#server/log.ts'

const migrationsFolder = join(import.meta.dirname, 'migrations')
/** One number for every Juntas, so that two nodes that start at once take turns. */
const ADVISORY_LOCK = 7_041_990_001

type Migration = { number: number; name: string; sql: string; checksum: string }
export type Applied = Pick<Migration, 'number' | 'name' | 'checksum'>

/**
 * Brings the schema up to date: each `NNNN-name.sql` not yet applied, in order, each in a transaction of its own.
 * A run that was killed is completed by the next; runs at the same time take turns.
 * @param url of a connection without a pooler between.
 * @param last leaves out the migrations after that one
 * @throws CannotStart when an applied file was edited, or the schema is newer than this program.
 */
export async function migrate(
  url: string,
  log: Log,
  folder = migrationsFolder,
  last = Number.POSITIVE_INFINITY,
): Promise<void> {
  const migrations = readMigrations(folder).filter(({ number }) => number <= last)
  const client = new Client({ connectionString: url, application_name: 'juntas migrate' })
  client.on('error', (error) => log.warn({ err: error }, 'the connection of the migrations broke'))
  await client.connect()
  try {
    // A role may have been given timeouts of its own; building an index takes the time it takes.
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    await client.query(`create table if not exists migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`)
    const { rows } = await client.query<Applied>(
      'select number, name, checksum from migrations order by number',
    )
    for (const migration of pending(migrations, rows)) {
      await apply(client, migration)
      log.info({ migration: migration.name }, 'migrated')
    }
  } finally {
    await client.end()
  }
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, index) => {
      const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1])
      if (number !== index + 1) {
        throw new CannotStart(
          `Migrations are numbered 0001-name.sql, 0002-name.sql and so on: ${file} is out of line.`,
        )
      }
      // Git may write other line ends on another machine; the migration is the same.
      const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
      return { number, name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** @throws CannotStart when somebody else's migrations are not the first of this program's, unedited */
export function checkKnown(applied: readonly Applied[]): void {
  pending(readMigrations(migrationsFolder), applied)
}

/** How many migrations this program has. */
export const knownMigrations = (): number => readMigrations(migrationsFolder).length

function pending(migrations: Migration[], applied: readonly Applied[]): Migration[] {
  for (const { number, name, checksum } of applied) {
    const known = migrations[number - 1]
    if (!known) {
      throw new CannotStart(
        `The database was migrated by a newer Juntas (${name}): start that version, or a newer one.`,
      )
    }
    if (known.checksum !== checksum) {
      throw new CannotStart(
        `Migration ${known.name} was edited after it was applied here: put it back and write the change as a new one.`,
      )
    }
  }
  return migrations.slice(applied.length)
}

async function apply(client: Client, { number, name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
