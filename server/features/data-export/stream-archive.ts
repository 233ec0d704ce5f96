/**
 * The archive is not stored, but built from its entry list, the originals and the stored texts.
 * The list of a ready export does not change, so every node produces the same bytes.
 */
import { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import { isSessionLive } from '../../auth/session.ts'
import type { BlobStore, ByteRange, OpenedBlob } from '../../blobs/blob-store.ts'
import type { Database } from '../../database/open-database.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  renderCentralDirectoryHeader,
  renderEndOfCentralDirectory,
  renderLocalFileHeader,
  type ZipEntry,
} from './zip-format.ts'

export type ArchiveContext = { database: Database; blobs: BlobStore }

export type ReadyExport = {
  id: number
  storage_key: string
  bytes: number
  directory_at: number
  directory_bytes: number
}

type EntryRow = ZipEntry & {
  n: number
  blob: string | null
  file_key: string | null
  starts_at: number
  listed_at: number
}

const pageEntries = 200
/** Entries with smaller numbers are texts. */
export const firstPhotoEntryNumber = 1000

/** An entry whose file was deleted gets no file, even if other records still use the file's bytes. */
export const joinEntryFileSql = sql`left join files f on f.id = e.file_id and f.state in ('ready', 'attached')`

export const whereEntryWasDeleted = sql<boolean>`(e.blob is null and f.id is null)`

/** An entry ends where the next entry or the directory begins. */
const touchedBy = (of: ReadyExport, { start, end }: ByteRange) => sql`
  e.export_id = ${of.id} and ${start}::bigint < ${of.directory_at}::bigint and e.starts_at <= ${end}
  and e.n >= coalesce((
    select b.n from export_entries b where b.export_id = ${of.id} and b.starts_at <= ${start} order by b.n desc limit 1), 0)`

/** @throws Failure 410 `export_outdated` if the range contains deleted content */
export async function assertRangeNotDeleted(
  db: Kysely<DatabaseTables>,
  of: ReadyExport,
  range: ByteRange,
): Promise<void> {
  const { rows } = await sql`
    select from export_entries e ${joinEntryFileSql} where ${touchedBy(of, range)} and ${whereEntryWasDeleted} limit 1`.execute(
    db,
  )
  if (rows.length > 0) throwFailure('export_outdated')
}

const checkedEveryBytes = 4 * 1024 * 1024
const checkedEveryMs = 2000

/**
 * Aborts if content is deleted or the session ends, so that an incomplete archive does not look complete.
 * The session is checked even while the client reads nothing.
 */
export function streamExportArchive(
  ctx: ArchiveContext,
  of: ReadyExport,
  range: ByteRange,
  session: number,
): Readable {
  const assertSessionStands = async () => {
    if (!(await isSessionLive(ctx.database.kysely, session))) throwFailure('export_not_found')
  }
  const stream = Readable.from(readWhile(assertSessionStands, readRange(ctx, of, range)), {
    objectMode: false,
    highWaterMark: 65_536,
  })
  const checking = setInterval(
    () => void assertSessionStands().catch((error: Error) => stream.destroy(error)),
    checkedEveryMs,
  )
  checking.unref()
  return stream.once('close', () => clearInterval(checking))
}

async function* readWhile(
  assertStands: () => Promise<void>,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let unchecked = 0
  for await (const chunk of chunks) {
    unchecked += chunk.length
    if (unchecked >= checkedEveryBytes) {
      await assertStands()
      unchecked = 0
    }
    yield chunk
  }
}

async function* readRange(
  { database: { kysely }, blobs }: ArchiveContext,
  of: ReadyExport,
  range: ByteRange,
): AsyncGenerator<Buffer> {
  for await (const entry of readEntries(kysely, touchedBy(of, range))) {
    const header = renderLocalFileHeader(entry)
    yield* part(header, entry.starts_at, range)
    const opened = await openEntry(blobs, of, entry)
    yield* blobPart(opened, entry.starts_at + header.length, range)
  }
  const directoryEnd = of.directory_at + of.directory_bytes
  if (range.end >= of.directory_at && range.start < directoryEnd) {
    const from = range.start - of.directory_at
    const listed = sql`e.export_id = ${of.id} and e.listed_at <= ${range.end - of.directory_at} and e.n >= coalesce((
      select b.n from export_entries b where b.export_id = ${of.id} and b.listed_at <= ${from} order by b.n desc limit 1), 0)`
    for await (const entry of readEntries(kysely, listed))
      yield* part(
        renderCentralDirectoryHeader(entry, entry.starts_at),
        of.directory_at + entry.listed_at,
        range,
      )
  }
  if (range.end >= directoryEnd) {
    const { rows } = await sql<{ entries: number }>`
      select count(*)::int as entries from export_entries where export_id = ${of.id}`.execute(kysely)
    const entries = rows[0]?.entries ?? 0
    const end = renderEndOfCentralDirectory({ entries, startsAt: of.directory_at, bytes: of.directory_bytes })
    yield* part(end, directoryEnd, range)
  }
}

async function* readEntries(
  db: Kysely<DatabaseTables>,
  which: ReturnType<typeof sql>,
): AsyncGenerator<EntryRow> {
  for (let after = -1; ; ) {
    const { rows } = await sql<EntryRow>`
      select e.n, e.name, e.size, e.crc32, e.at, e.blob, e.starts_at, e.listed_at, f.storage_key as file_key
      from export_entries e ${joinEntryFileSql}
      where ${which} and e.n > ${after} order by e.n limit ${pageEntries}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageEntries) return
    after = last.n
  }
}

async function openEntry(
  blobs: BlobStore,
  of: ReadyExport,
  { blob, file_key, size }: EntryRow,
): Promise<OpenedBlob> {
  const opened =
    blob !== null
      ? await blobs.open(of.storage_key, blob)
      : file_key && (await blobs.open(file_key, 'original'))
  if (!opened) return throwFailure('export_outdated')
  if (opened.size !== size) throw new Error('what a copy lists has another size than it had')
  return opened
}

/** @param at the offset of `bytes` in the archive */
function* part(bytes: Buffer, at: number, { start, end }: ByteRange): Generator<Buffer> {
  const cut = bytes.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
  if (cut.length > 0) yield cut
}

async function* blobPart(opened: OpenedBlob, at: number, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const wanted = { start: Math.max(0, start - at), end: Math.min(opened.size - 1, end - at) }
  if (wanted.start > wanted.end) return
  for await (const chunk of opened.read(wanted)) yield chunk as Buffer
}
