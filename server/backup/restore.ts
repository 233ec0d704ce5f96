/**
 * Restoring a backup onto an empty database: verified before anything is touched, brought in by one transaction, and proven
 * afterwards. Works from the embedded database to an external one and back, and between major versions (decision 0800).
 */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Blobs } from '#server/blobs.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { type Broken, brokenInvariants } from '#server/database/invariants.ts'
import { checkKnown, migrate } from '#server/database/migrate.ts'
import type { Log } from '#server/log.ts'
import { type Manifest, pictureFile } from './manifest.ts'
import { eachPicture, listed } from './pictures.ts'
import { copyTablesIn, signIns } from './tables.ts'
import { verifyBackup } from './verify.ts'

export type Restored = Manifest & { broken: Broken[] }

/**
 * @param options.keepSignIns lets members stay signed in: for moving, not for going back to an older state
 * @throws BadBackup before anything is touched @throws CannotStart where the database is not empty
 */
export async function restoreBackup(
  folder: string,
  to: { url: string; blobs: Blobs; log: Log },
  { keepSignIns = false } = {},
): Promise<Restored> {
  const manifest = await verifyBackup(folder)
  checkKnown(manifest.migrations)
  const db = new Client({ connectionString: to.url, application_name: 'juntas restore' })
  await db.connect()
  try {
    await db.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    await checkEmpty(db, manifest)
    await migrate(to.url, to.log, undefined, manifest.migrations.length)
    await bringPictures(folder, to.blobs)
    await db.query(`begin; set local maintenance_work_mem = '256MB'`)
    try {
      await copyTablesIn(db, folder, manifest, keepSignIns ? [] : signIns)
      // From here on it is another database: a client that knows the old one loads anew (server/live-catch-up.ts).
      await db.query('update migrations set applied_at = clock_timestamp()')
      await db.query('commit')
    } catch (error) {
      await db.query('rollback')
      throw error
    }
    await migrate(to.url, to.log)
    await db.query('analyze')
    return { ...manifest, broken: await brokenInvariants(db) }
  } finally {
    await db.end()
  }
}

/** A restore that failed on its way has left the tables of its migrations, without a row. */
async function checkEmpty(db: Client, manifest: Manifest): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return
  const filled = []
  for (const name of names) {
    if (name === 'migrations') continue
    const { rowCount } = await db.query(`select from "${name.replaceAll('"', '""')}" limit 1`)
    if (rowCount) filled.push(name)
  }
  const { rows: applied } = names.includes('migrations')
    ? await db.query('select from migrations')
    : { rows: [] }
  if (!names.includes('migrations') || filled.length > 0 || applied.length > manifest.migrations.length) {
    throw new CannotStart(
      `The database is not empty (${filled[0] ?? names[0]}): a backup is restored into an empty one, and nothing was touched.`,
    )
  }
}

const bringPictures = (folder: string, to: Blobs): Promise<void> =>
  eachPicture(listed(folder), async ({ key, blobs }) => {
    await using scratch = await to.begin(blobs.reduce((sum, { size }) => sum + size, 0))
    const files: Record<string, string> = {}
    for (const { name } of blobs) {
      files[name] = join(scratch.path, name)
      await copyFile(pictureFile(folder, key, name), files[name])
    }
    await to.finish(key, files)
  })
