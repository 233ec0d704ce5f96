import { sql } from 'kysely'
import { buildFileChangesStatement } from '../auth/record-token-and-file-changes.ts'
import { releasePublicIdsOfHeldFiles, whereNotHeldAsEvidence } from './evidence-hold.ts'
import type { FileContext } from './stored-files.ts'

const unusedUploadHours = 24
/** For this long after a file's post is deleted, a client that deletes the file gets 204, not 404. */
const releasedIdHours = 1
const releasedBefore = sql`clock_timestamp() - ${`${releasedIdHours} hours`}::interval`
const batchRows = 1000

/** Can be interrupted at any time. Does nothing while another node purges. */
export async function purgeUnusedFiles(context: FileContext): Promise<void> {
  const db = context.database.kysely
  const released = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('sweep files')) as mine`.execute(tx)
    if (!rows[0]?.mine) return []
    await sql`
      with unused as (
        select id, state from files where state in ('uploading', 'ready')
          and updated_at < clock_timestamp() - ${`${unusedUploadHours} hours`}::interval
        order by updated_at limit ${batchRows} for update skip locked
      ), marked as (
        update files set state = 'deleting' from unused where files.id = unused.id returning files.*
      )
      ${buildFileChangesStatement('delete', sql`(select marked.* from marked join unused using (id) where unused.state = 'ready')`)}`.execute(
      tx,
    )
    await releasePublicIdsOfHeldFiles(tx, sql`updated_at < ${releasedBefore}`)
    const found = await sql<{ id: number; storage_key: string; expired: boolean }>`
      select id, storage_key, updated_at < ${releasedBefore} as expired
      from files where state = 'deleting' and ${whereNotHeldAsEvidence(sql.ref('files.id'))} order by updated_at limit ${batchRows}`.execute(
      tx,
    )
    return found.rows
  })

  const removed = new Set(
    await removeReleasedFileBytes(
      context,
      released.map(({ storage_key }) => storage_key),
    ),
  )
  const removableIds = released
    .filter((file) => file.expired && removed.has(file.storage_key))
    .map(({ id }) => id)
  if (removableIds.length === 0) return
  await db.deleteFrom('files').where('id', 'in', removableIds).where('state', '=', 'deleting').execute()
}

/**
 * Call this after the commit. Errors are only logged: `purgeUnusedFiles` tries again.
 * @returns the keys whose bytes were removed
 */
export async function removeReleasedFileBytes(
  { blobs, log }: Pick<FileContext, 'blobs' | 'log'>,
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
