/** What happens to files without a request: uploads that nobody used go, and bytes whose row let them go. */
import { sql } from 'kysely'
import type { FileParts } from './files.ts'

/** Reading W-08. */
const unusedHours = 24
/** So long a released file's id is remembered: a client that deletes it after its post gets its 204 (reading W-08). */
const rememberedHours = 1
/** Per run; what is left over is older than anything new next time. */
const batch = 1000

/**
 * Run every five minutes; at most one node does it at a time (reading S-05). Safe to interrupt anywhere and to repeat.
 */
export async function sweepFiles(parts: FileParts): Promise<void> {
  const db = parts.database.kysely
  const going = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('sweep files')) as mine`.execute(tx)
    if (!rows[0]?.mine) return []
    await sql`
      update files set state = 'deleting' where id in (
        select id from files where state in ('uploading', 'ready')
          and updated_at < clock_timestamp() - ${`${unusedHours} hours`}::interval
        order by updated_at limit ${batch} for update skip locked)`.execute(tx)
    const released = await sql<{ id: number; storage_key: string; forgotten: boolean }>`
      select id, storage_key, updated_at < clock_timestamp() - ${`${rememberedHours} hours`}::interval as forgotten
      from files where state = 'deleting' order by updated_at limit ${batch}`.execute(tx)
    return released.rows
  })

  const removed = new Set(
    await removeReleased(
      parts,
      going.map(({ storage_key }) => storage_key),
    ),
  )
  const forgotten = going
    .filter((file) => file.forgotten && removed.has(file.storage_key))
    .map(({ id }) => id)
  if (forgotten.length === 0) return
  await db.deleteFrom('files').where('id', 'in', forgotten).where('state', '=', 'deleting').execute()
}

/**
 * Removes the bytes of files whose rows were released in a transaction that is committed. What fails here the sweep does
 * later.
 * @returns the keys whose bytes are gone
 */
export async function removeReleased(
  { blobs, log }: Pick<FileParts, 'blobs' | 'log'>,
  keys: readonly string[],
): Promise<string[]> {
  const removed: string[] = []
  for (const key of keys) {
    try {
      await blobs.remove(key)
      removed.push(key)
    } catch (error) {
      log.warn({ err: error }, 'the bytes of a released file could not be removed yet')
    }
  }
  return removed
}
