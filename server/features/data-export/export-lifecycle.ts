import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { AccountExport } from '#contract/data-export/account-export.ts'
import { exportsPerDay } from '#contract/data-export/export-limits.ts'
import { exportSteps } from '#contract/data-export/export-steps.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { removeReleasedFileBytes } from '../../files/file-cleanup.ts'
import type { FileContext } from '../../files/stored-files.ts'
import { generateId } from '../../ids.ts'
import type { RequestContext } from '../../route.ts'
import { maxGatherBytesPerSecond } from './gather-export.ts'
import {
  firstPhotoEntryNumber,
  joinEntryFileSql,
  type ReadyExport,
  whereEntryWasDeleted,
} from './stream-archive.ts'

type ExportRow = {
  public_id: string
  state: AccountExport['state']
  step: number
  created_at: Date
  bytes: number | null
  dies_at: Date | null
  photos: number
  photos_read: number
  bytes_left: number
  gone: number
}

export const whereExportNotExpired = sql<boolean>`(e.dies_at is null or e.dies_at > clock_timestamp())`

export async function readExport({ caller, database }: RequestContext): Promise<AccountExport | null> {
  const { rows } = await sql<ExportRow>`
    select e.public_id, e.state, e.step, e.created_at, e.bytes, e.dies_at, read.*
    from exports e cross join lateral (
      select count(*)::int as photos, count(e.crc32)::int as photos_read, count(*) filter (where ${whereEntryWasDeleted})::int as gone,
        coalesce(sum(e.size) filter (where e.crc32 is null and f.crc32 is null), 0)::bigint as bytes_left
      from (select * from export_entries t where t.export_id = e.id and t.n >= ${firstPhotoEntryNumber}) e ${joinEntryFileSql}
    ) read
    where e.account_id = ${caller.account.id} and ${whereExportNotExpired}`.execute(database.kysely)
  const [row] = rows
  if (!row) return null
  const { state, step } = row
  return {
    $id: row.public_id,
    state,
    askedAt: formatIsoTimestamp(row.created_at),
    step: state === 'ready' ? null : (exportSteps[step] ?? null),
    photosRead: row.photos_read,
    photos: row.photos,
    secondsLeft: state === 'gathering' ? Math.ceil(row.bytes_left / maxGatherBytesPerSecond) : null,
    bytes: row.bytes,
    diesAt: row.dies_at && formatIsoTimestamp(row.dies_at),
    outdated: state === 'ready' && row.gone > 0,
  }
}

/** A failed export resumes where it stopped. */
export async function requestExport(ctx: RequestContext): Promise<void> {
  const { caller, me, request, database } = ctx
  const account = caller.account.id
  const replaced = await database.kysely.transaction().execute(async (db) => {
    // The second of two simultaneous requests waits here and finds the export of the first.
    await sql`select pg_advisory_xact_lock(hashtextextended('exports', ${account}))`.execute(db)
    const before = await db
      .selectFrom('exports')
      .select(['id', 'state', 'storage_key'])
      .where('account_id', '=', account)
      .executeTakeFirst()
    if (before?.state === 'gathering') throwFailure('export_under_way')
    if (before?.state === 'failed') {
      await db
        .updateTable('exports')
        .set({ state: 'gathering', failures: 0, holder: null, heartbeat_at: null })
        .where('id', '=', before.id)
        .execute()
      return null
    }
    await refuseTooMany(db, account)
    if (before) await db.deleteFrom('exports').where('id', '=', before.id).execute()
    await recordAccountEvent(db, request, account, 'export.create')
    const { id } = await db
      .insertInto('exports')
      .values({ public_id: generateId(), account_id: account, storage_key: generateId(32) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await listPhotos(db, id, me.id)
    return before?.storage_key ?? null
  })
  if (replaced) await removeReleasedFileBytes(ctx, [replaced])
}

async function refuseTooMany(db: Transaction<DatabaseTables>, account: number): Promise<void> {
  const { rows } = await sql<{ asked: number; wait: number }>`
    select count(*)::int as asked,
      ceil(extract(epoch from min(created_at) + interval '24 hours' - clock_timestamp()))::int as wait
    from account_events
    where account_id = ${account} and event = 'export.create' and created_at > clock_timestamp() - interval '24 hours'`.execute(
    db,
  )
  const { asked = 0, wait = 0 } = rows[0] ?? {}
  if (asked >= exportsPerDay) throwFailure('export_too_soon', { retryAfter: Math.max(1, wait) })
}

/** Photos are named by day and number, which every file system accepts. */
async function listPhotos(db: Transaction<DatabaseTables>, id: number, me: number): Promise<void> {
  await sql`
    insert into export_entries (export_id, n, name, file_id, size, crc32, at)
    select ${id}, ${firstPhotoEntryNumber} + own.number, 'photos/' || to_char(own.created_at at time zone 'UTC', 'YYYY-MM-DD') || '-'
      || lpad(own.number::text, 5, '0') || case own.mime_type when 'image/png' then '.png' else '.jpg' end,
      own.id, own.size, own.crc32, own.created_at
    from (
      select f.*, row_number() over (order by f.created_at, f.id)::int as number from files f
      where f.owner_id = ${me} and f.state in ('ready', 'attached')
    ) own`.execute(db)
}

export async function discardExport(ctx: RequestContext): Promise<void> {
  const { caller, request, database } = ctx
  const discarded = await database.kysely.transaction().execute(async (db) => {
    const gone = await db
      .deleteFrom('exports')
      .where('account_id', '=', caller.account.id)
      .returning('storage_key')
      .executeTakeFirst()
    if (gone) await recordAccountEvent(db, request, caller.account.id, 'export.delete')
    return gone
  })
  if (discarded) await removeReleasedFileBytes(ctx, [discarded.storage_key])
}

export async function createExportDownloadUrl(ctx: RequestContext): Promise<string> {
  const found = await readExport(ctx)
  if (found?.state !== 'ready') return throwFailure('export_not_found')
  if (found.outdated) throwFailure('export_outdated')
  await recordAccountEvent(ctx.database.kysely, ctx.request, ctx.caller.account.id, 'export.open')
  return `/v1/me/export/${found.$id}/archive?key=${(await keyOf(ctx, found.$id)).toString('base64url')}`
}

/** The archive must belong to the session that received the key. */
export async function findReadyExport(
  ctx: RequestContext,
  publicId: string,
  key: string,
): Promise<ReadyExport> {
  const { rows } = await sql<ReadyExport>`
    select e.id, e.storage_key, e.bytes, e.directory_at, e.directory_bytes from exports e
    where e.public_id = ${publicId} and e.account_id = ${ctx.caller.account.id} and e.state = 'ready' and ${whereExportNotExpired}`.execute(
    ctx.database.kysely,
  )
  const [found] = rows
  if (!found) return throwFailure('export_not_found')
  const given = Buffer.from(key, 'base64url')
  const expected = await keyOf(ctx, publicId)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throwFailure('export_not_found')
  return found
}

/**
 * The download key stays the same, so that a client can request the URL again and resume an interrupted
 * download.
 */
async function keyOf({ instanceKey, caller }: RequestContext, publicId: string): Promise<Buffer> {
  const secret = await instanceKey.deriveExportKey()
  return createHmac('sha256', secret).update(`${publicId}\0${caller.session.publicId}`).digest()
}

const batchExports = 100

/** Failed exports are kept for a week. The blobs are removed before the rows. */
export async function purgeExpiredExports(
  ctx: Pick<FileContext, 'database' | 'blobs' | 'log'>,
): Promise<void> {
  const { kysely } = ctx.database
  const { rows } = await sql<{ id: number; storage_key: string }>`
    select e.id, e.storage_key from exports e
    where e.dies_at < clock_timestamp() or (e.state = 'failed' and e.created_at < clock_timestamp() - interval '7 days')
    order by e.id limit ${batchExports}`.execute(kysely)
  const removed = new Set(
    await removeReleasedFileBytes(
      ctx,
      rows.map(({ storage_key }) => storage_key),
    ),
  )
  const ids = rows.filter(({ storage_key }) => removed.has(storage_key)).map(({ id }) => id)
  if (ids.length > 0) await kysely.deleteFrom('exports').where('id', 'in', ids).execute()
}
