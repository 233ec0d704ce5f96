/** Tables are copied in COPY's text format, which every PostgreSQL version understands. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type ByteTransform, unchanged } from './backup-encryption.ts'
import { buildBackupPictureCondition } from './copy-pictures.ts'
import {
  type BackupManifest,
  type BackupTableEntry,
  backupTablePath,
  InvalidBackupError,
  isEncryptedBackup,
} from './manifest.ts'

/**
 * Transaction ids differ in another database, so the outbox and the notification position would be useless.
 * Chunks belong to unfinished uploads, rankings are computed again, and the manifest lists the migrations.
 */
export const tablesExcludedFromBackup: readonly string[] = [
  'migrations',
  'changes',
  'notification_cursor',
  'file_chunks',
  'trending_rankings',
  'trending_posts',
  'exports',
  'export_entries',
  // A restored instance must not send emails again.
  'emails',
  // These describe this instance's storage.
  'backups',
  'backup_schedule',
  'file_move',
]
/** An old secret in these tables must not work again after a restore, unless the operator asks for it. */
export const signInTables = [
  'sessions',
  'jwts',
  'tokens',
  'oauth_attempts',
  'challenges',
  'passkey_challenges',
  // A new sign-in subscribes again.
  'push_subscriptions',
  'push_schedule',
]

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const listOf = (columns: readonly string[]) => columns.map(quoted).join(', ')

async function tables(db: ClientBase): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await db.query<{ name: string; columns: string[] }>(
    `select t.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relname <> all ($1)
     group by t.relname order by t.relname`,
    [tablesExcludedFromBackup],
  )
  return rows
}

export async function dumpTables(
  db: ClientBase,
  folder: string,
  encrypt: ByteTransform,
): Promise<Record<string, BackupTableEntry>> {
  const written: Record<string, BackupTableEntry> = {}
  for (const { name, columns } of await tables(db)) {
    // The bytes of other files are not copied.
    const where = name === 'files' ? ` where ${await buildBackupPictureCondition(db)}` : ''
    const rows = db.query(copyTo(`copy (select ${listOf(columns)} from ${quoted(name)}${where}) to stdout`))
    const hash = createHash('sha256')
    const hashing = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    const path = backupTablePath(folder, name, encrypt !== unchanged)
    await pipeline(rows, createGzip(), encrypt, hashing, createWriteStream(path, { flush: true }))
    written[name] = { columns, rows: rows.rowCount, sha256: hash.digest('hex') }
  }
  return written
}

/** Keys are `table.column`. Empty if unused. */
export async function readSequenceValues(db: ClientBase): Promise<Record<string, string>> {
  const { rows } = await db.query<{ place: string; last: string }>(
    `select t.relname || '.' || a.attname as place,
       coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(t.relname), a.attname)::regclass)::text, '') as last
     from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attidentity <> ''
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relname <> all ($1) order by 1`,
    [tablesExcludedFromBackup],
  )
  return Object.fromEntries(rows.map(({ place, last }) => [place, last]))
}

/**
 * Triggers are off, because the rows already include their effects. Creating foreign keys and indexes after
 * copying is faster and checks the rows.
 * @param db an empty database with all migrations, in a transaction
 * @throws InvalidBackupError for missing rows
 */
export async function restoreTables(
  db: ClientBase,
  folder: string,
  manifest: BackupManifest,
  leaveOut: readonly string[],
  decrypt: ByteTransform,
): Promise<void> {
  const restoreConstraints = await dropConstraints(db)
  for (const [table, { columns, rows }] of Object.entries(manifest.tables)) {
    if (leaveOut.includes(table)) continue
    await db.query(`alter table ${quoted(table)} disable trigger user`)
    const target = db.query(copyFrom(`copy ${quoted(table)} (${listOf(columns)}) from stdin`))
    const path = backupTablePath(folder, table, isEncryptedBackup(manifest))
    await pipeline(createReadStream(path), decrypt, createGunzip(), target)
    await db.query(`alter table ${quoted(table)} enable trigger user`)
    if (target.rowCount !== rows) {
      throw new InvalidBackupError(
        `The backup is damaged: ${table} has ${target.rowCount} rows instead of ${rows}.`,
      )
    }
  }
  for (const [place, last] of Object.entries(manifest.sequences)) {
    const [table = '', column = ''] = place.split('.')
    if (last !== '')
      await db.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoted(table), column, last])
  }
  await restoreConstraints()
}

/**
 * Foreign keys form cycles, so no order of tables would satisfy them.
 * @returns a function that restores indexes and foreign keys
 */
async function dropConstraints(db: ClientBase): Promise<() => Promise<void>> {
  const { rows: keys } = await db.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
  )
  const { rows: indexes } = await db.query<{ drop: string; add: string }>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as add
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by i.indexrelid`,
  )
  const all = [...indexes, ...keys]
  for (const { drop } of all.toReversed()) await db.query(drop)
  return async () => {
    for (const { add } of all) await db.query(add)
  }
}
