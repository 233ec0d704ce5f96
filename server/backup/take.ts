/**
 * Taking a backup while members go on (decision 0800). Pictures first, without any snapshot, for they are nearly all of the
 * bytes; then one snapshot of the database, what few pictures came meanwhile, and the rows as that snapshot sees them.
 */
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Blobs } from '#server/blobs.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Applied } from '#server/database/migrate.ts'
import { digestOf, listFile, type Manifest, manifestFile, pictureFolder, writeManifest } from './manifest.ts'
import { copyPictures, listPictures } from './pictures.ts'
import { copyTablesOut, readSequences } from './tables.ts'

/** A picture can be deleted between the snapshot and its copying; then a newer snapshot does without it. */
const mostSnapshots = 20

/**
 * @param from the database, past any pooler, and its store of bytes
 * @param folder made when missing; one that holds an unfinished backup is gone on with
 * @throws CannotStart when it holds something else
 */
export async function takeBackup(from: { url: string; blobs: Blobs }, folder: string): Promise<Manifest> {
  checkFolder(folder)
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 })
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const db = await connectTo(from.url)
  const now = await connectTo(from.url)
  try {
    await copyPictures(now, from.blobs, folder)
    for (let snapshot = 1; ; snapshot += 1) {
      await db.query('begin isolation level repeatable read read only')
      const gone = await copyPictures(db, from.blobs, folder)
      const lost = await stillShown(now, gone)
      if (gone.length > lost.length && snapshot < mostSnapshots) {
        await db.query('rollback')
        continue
      }
      const manifest = await writeRows(db, folder, new Set(gone))
      await db.query('commit')
      await writeManifest(folder, manifest)
      return manifest
    }
  } finally {
    await db.end()
    await now.end()
  }
}

function checkFolder(folder: string): void {
  if (existsSync(manifestFile(folder))) {
    throw new CannotStart(`There is a backup in ${folder} already: give another folder.`)
  }
  const ours = new Set(['database', 'files', 'files.jsonl.gz'])
  if (existsSync(folder) && readdirSync(folder).some((name) => !ours.has(name))) {
    throw new CannotStart(`${folder} holds something that is no backup: give an empty folder.`)
  }
}

async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'juntas backup' })
  await client.connect()
  // It takes the time it takes, whatever the role has been given.
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
  )
  return client
}

/** Of the keys those whose records still show them: their bytes were not deleted, they are lost. */
async function stillShown(db: Client, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const { rows } = await db.query<{ storage_key: string }>(
    `select storage_key from files where storage_key = any ($1) and state = 'attached'`,
    [keys],
  )
  return rows.map(({ storage_key }) => storage_key)
}

async function writeRows(db: Client, folder: string, lost: ReadonlySet<string>): Promise<Manifest> {
  const { rows } = await db.query<{ taken: string; postgres: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken,
       current_setting('server_version') as postgres`,
  )
  const [{ taken, postgres }] = rows as [(typeof rows)[number]]
  const { rows: migrations } = await db.query<Applied>(
    'select number, name, checksum from migrations order by number',
  )
  const tables = await copyTablesOut(db, folder)
  const listed = await listPictures(db, folder, lost)
  await removeUnlisted(db, folder)
  const list = await digestOf(listFile(folder))
  return {
    format: 1,
    taken,
    postgres,
    migrations,
    tables,
    sequences: await readSequences(db),
    pictures: { ...listed, sha256: list?.sha256 ?? '' },
    lost: [...lost],
  }
}

/** What a member deleted since it was copied does not stay in the backup. */
async function removeUnlisted(db: Client, folder: string): Promise<void> {
  for (const beginning of await readdir(join(folder, 'files'))) {
    const keys = await readdir(join(folder, 'files', beginning))
    const shown = new Set(await stillShown(db, keys))
    for (const key of keys) {
      if (!shown.has(key)) await rm(pictureFolder(folder, key), { recursive: true, force: true })
    }
  }
}
