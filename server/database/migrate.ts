import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { ServerLogger } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { squashedMigrations } from './squashed-migrations.ts'

const migrationsFolder = join(import.meta.dirname, 'migrations')
/** Nodes hold this lock to migrate one after the other. */
const ADVISORY_LOCK = 7_041_990_001

export type AppliedMigration = { number: number; name: string; checksum: string }
type Migration = AppliedMigration & { sql: string }

/**
 * Each new file runs in its own transaction. After an interruption, the next run continues. Concurrent runs
 * wait.
 * @param url without a pooler, because the lock belongs to the session
 * @param last by default all
 * @throws StartupError if a file was edited after it ran, or the schema is newer than this program
 */
export async function migrate(
  url: string,
  log: ServerLogger,
  folder = migrationsFolder,
  last = Number.POSITIVE_INFINITY,
): Promise<void> {
  const migrations = readMigrations(folder).filter(({ number }) => number <= last)
  const client = new Client({ connectionString: url, application_name: 'juntas migrate' })
  client.on('error', (error) => log.warn({ err: error }, 'the connection of the migrations broke'))
  await client.connect()
  try {
    // Building an index can take long.
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
    const { rows } = await client.query<AppliedMigration>(
      'select number, name, checksum from migrations order by number',
    )
    const applied = replaceSquashed(migrations, rows)
    if (applied !== rows) {
      await rewriteLedger(client, rows, applied)
      log.info({ migrations: applied.length }, 'carried over from before the migrations were squashed')
    }
    for (const migration of pending(migrations, applied)) {
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
        throw new StartupError(
          `Migrations are numbered 0001-name.sql, 0002-name.sql and so on: ${file} is out of line.`,
        )
      }
      // The checksum ignores line endings, which Git may have changed.
      const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
      return { number, name: file, sql, checksum: hash(sql) }
    })
}

/**
 * @param applied the migrations of a running database or a backup
 * @returns how many of this version's migrations correspond to `applied`
 * @throws StartupError unless `applied`, with squashed migrations replaced, is an unedited prefix of this version's
 * migrations
 */
export function countMatchingMigrations(applied: readonly AppliedMigration[]): number {
  const migrations = readMigrations(migrationsFolder)
  const known = replaceSquashed(migrations, applied)
  pending(migrations, known)
  return known.length
}

export const countShippedMigrations = (): number => readMigrations(migrationsFolder).length

/**
 * Replaces squashed migrations (decision 0106) by today's equivalent ones, and renumbers the later ones.
 * @throws StartupError if the database stopped before the last squashed one, or one of them was edited
 */
function replaceSquashed(
  migrations: readonly AppliedMigration[],
  applied: readonly AppliedMigration[],
): readonly AppliedMigration[] {
  const { count, replacementCount, lastCommit, firstChecksum, checksum } = squashedMigrations
  const newest = applied.at(-1)
  if (!newest || applied[0]?.checksum !== firstChecksum) return applied
  if (applied.length < count) {
    throw new StartupError(
      `The database stopped at ${newest.name}, migration ${newest.number} of ${count} before they were squashed: bring it up to date with Juntas at commit ${lastCommit} first.`,
    )
  }
  const squashed = applied.slice(0, count).map((migration) => migration.checksum)
  if (hash(squashed.join('\n')) !== checksum) {
    throw new StartupError(`One of the first ${count} migrations was edited after it was applied here.`)
  }
  const later = applied.slice(count).map((migration) => {
    const number = migration.number - count + replacementCount
    return { ...migration, number, name: migrations[number - 1]?.name ?? migration.name }
  })
  return [...migrations.slice(0, replacementCount), ...later]
}

/**
 * Only renames the recorded migrations; the schema already matches. Keeps each `applied_at`, because catching
 * up uses the oldest as the age of the database.
 */
async function rewriteLedger(
  client: Client,
  recorded: readonly AppliedMigration[],
  migrations: readonly AppliedMigration[],
): Promise<void> {
  const { count, replacementCount } = squashedMigrations
  await inTransaction(client, async () => {
    await client.query('delete from migrations where number > $1 and number <= $2', [replacementCount, count])
    const kept = recorded.filter(({ number }) => number <= replacementCount || number > count)
    for (const [index, { number, name, checksum }] of migrations.entries()) {
      await client.query('update migrations set number = $2, name = $3, checksum = $4 where number = $1', [
        kept[index]?.number,
        number,
        name,
        checksum,
      ])
    }
  })
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

function pending<Known extends { checksum: string }>(
  migrations: readonly Known[],
  applied: readonly AppliedMigration[],
): Known[] {
  for (const { number, name, checksum } of applied) {
    const known = migrations[number - 1]
    if (!known) {
      throw new StartupError(
        `The database was migrated by a newer Juntas (${name}): start that version, or a newer one.`,
      )
    }
    if (known.checksum !== checksum) {
      throw new StartupError(
        `Migration ${name} was edited after it was applied here: put it back and write the change as a new one.`,
      )
    }
  }
  return migrations.slice(applied.length)
}

async function apply(client: Client, { number, name, sql, checksum }: Migration): Promise<void> {
  try {
    await inTransaction(client, async () => {
      await client.query(sql)
      await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
        number,
        name,
        checksum,
      ])
    })
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
