/**
 * If a node crashes, any node can resume its export. Every write checks that this node still holds the
 * export.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type Kysely, sql, type Transaction } from 'kysely'
import { exportLifetimeDays } from '#contract/data-export/export-limits.ts'
import { exportSteps } from '#contract/data-export/export-steps.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { consumeUnverifiedAddressLimit } from '../../http/account-notice-limits.ts'
import { getConfiguredPublicUrl } from '../../net/public-url.ts'
import type { LoggedChange } from '../../store/change-log-reader.ts'
import { renderNotificationCandidateColumns } from '../notifications/notification-candidates.ts'
import { upsertNotifications } from '../notifications/write-notifications.ts'
import { archiveHtmlPageName, renderArchiveHtmlPage } from './archive-html-page.ts'
import {
  type ExportedRow,
  type ExportSubject,
  exportedDocuments,
  findExportedList,
  selectExportedMessages,
} from './exported-data-queries.ts'
import { joinEntryFileSql, whereEntryWasDeleted } from './stream-archive.ts'
import {
  renderCentralDirectoryHeader,
  renderEndOfCentralDirectory,
  renderLocalFileHeader,
  type ZipEntry,
} from './zip-format.ts'

export type ExportGatherContext = Pick<
  AppContext,
  'config' | 'log' | 'database' | 'store' | 'blobs' | 'emails' | 'identity' | 'limits'
> & {
  notify(changes: readonly LoggedChange[]): void
  /** Originals are read slowly, so that members' requests have priority. */
  bytesPerSecond?: number
}

export type ClaimedExport = {
  id: number
  storage_key: string
  step: number
  holder: string
  account: number
  member: number
  created_at: Date
}

/** Thrown if another node holds the export or if the export was discarded. */
export class ExportClaimLostError extends Error {}

export const maxGatherBytesPerSecond = 20e6
const pageRows = 500
const pagePhotos = 50
const layoutRows = 1000
const scratchBytes = 64e6

const subjectOf = ({ id, account, member }: ClaimedExport): ExportSubject => ({ account, member, export: id })

/** @throws ExportClaimLostError, and any error of a step */
export async function gatherExport(
  ctx: ExportGatherContext,
  held: ClaimedExport,
  stopping: AbortSignal,
): Promise<void> {
  for (let step = held.step; step < exportSteps.length; step += 1) {
    const name = exportSteps[step]
    if (name === 'photos') await readPhotos(ctx, held, stopping)
    else if (name === 'page') await writePage(ctx, held)
    else
      for (const [at, document] of exportedDocuments.entries())
        if (document.step === name) await writeDocument(ctx, held, at)
    if (stopping.aborted) return
    await whileHeld(ctx.database.kysely, held, sql`step = ${step + 1}, failures = 0`)
  }
  await emailExportReady(ctx, held)
  await finish(ctx, held)
}

async function whileHeld(
  db: Kysely<DatabaseTables>,
  { id, holder }: ClaimedExport,
  values: ReturnType<typeof sql>,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update exports set ${values} where id = ${id} and state = 'gathering' and holder = ${holder}`.execute(db)
  if (numAffectedRows === 0n) throw new ExportClaimLostError()
}

async function* readRows(
  db: Kysely<DatabaseTables>,
  query: ReturnType<typeof sql>,
): AsyncGenerator<ExportedRow> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ExportedRow>`
      select listed.key, listed.item from (${query}) listed where listed.key > ${after} order by listed.key limit ${pageRows}`.execute(
      db,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.key
  }
}

async function* readList(
  db: Kysely<DatabaseTables>,
  of: ExportSubject,
  document: string,
  name: string,
): AsyncGenerator<ExportedRow> {
  const { select, map } = findExportedList(document, name)
  for await (const { key, item } of readRows(db, select(of))) yield { key, item: map ? map(item) : item }
}

async function writeDocument(ctx: ExportGatherContext, held: ClaimedExport, at: number): Promise<void> {
  const document = exportedDocuments[at]
  if (!document) return
  const { name, lists } = document
  const of = subjectOf(held)
  async function* json() {
    yield '{'
    for (const [index, list] of lists.entries()) {
      yield `${index > 0 ? ',' : ''}\n${JSON.stringify(list.name)}: ${list.single ? '' : '['}`
      let written = 0
      for await (const { item } of readList(ctx.database.kysely, of, name, list.name)) {
        if (list.single && written > 0) break
        yield `${written > 0 ? ',' : ''}${list.single ? '' : '\n'}${JSON.stringify(item)}`
        written += 1
      }
      yield list.single ? (written === 0 ? 'null' : '') : ']'
    }
    yield '\n}\n'
  }
  await writeText(ctx, held, { n: at + 1, name: `data/${name}.json`, blob: `${name}.json` }, json())
}

async function writePage(ctx: ExportGatherContext, held: ClaimedExport): Promise<void> {
  const db = ctx.database.kysely
  const of = subjectOf(held)
  const reader = {
    list: (document: string, name: string) => readList(db, of, document, name),
    messages: (conversation: number) => readRows(db, selectExportedMessages(of, conversation)),
  }
  const { name: communityName } = await ctx.identity.read()
  const page = renderArchiveHtmlPage(reader, { madeAt: held.created_at, communityName })
  await writeText(ctx, held, { n: 0, name: archiveHtmlPageName, blob: 'leeme.html' }, page)
}

/** Writing the same text again after a crash replaces the first one. */
async function writeText(
  { database: { kysely }, blobs }: ExportGatherContext,
  held: ClaimedExport,
  { n, name, blob }: { n: number; name: string; blob: string },
  pieces: AsyncIterable<string>,
): Promise<void> {
  await using scratch = await blobs.begin(scratchBytes)
  const path = join(scratch.path, 'text')
  const written = await writePieces(path, pieces)
  await whileHeld(kysely, held, sql`heartbeat_at = clock_timestamp()`)
  await blobs.finish(held.storage_key, { [blob]: path })
  await sql`
    insert into export_entries (export_id, n, name, blob, size, crc32, at)
    select e.id, ${n}, ${name}, ${blob}, ${written.size}, ${written.checksum}, clock_timestamp()
    from exports e where e.id = ${held.id} and e.holder = ${held.holder}
    on conflict (export_id, n) do update set size = excluded.size, crc32 = excluded.crc32, at = excluded.at`.execute(
    kysely,
  )
}

async function writePieces(path: string, pieces: AsyncIterable<string>) {
  let size = 0
  let checksum = 0
  let waiting = ''
  const file = await open(path, 'wx', 0o600)
  const flush = async () => {
    const bytes = Buffer.from(waiting)
    waiting = ''
    size += bytes.length
    checksum = crc32(bytes, checksum)
    await file.writeFile(bytes)
  }
  try {
    for await (const piece of pieces) {
      waiting += piece
      if (waiting.length > 65_536) await flush()
    }
    await flush()
  } finally {
    await file.close()
  }
  return { size, checksum }
}

type PhotoRow = { n: number; file_id: number; size: number; storage_key: string }

async function readPhotos(
  ctx: ExportGatherContext,
  held: ClaimedExport,
  stopping: AbortSignal,
): Promise<void> {
  const db = ctx.database.kysely
  await sql`
    update export_entries e set crc32 = f.crc32 from files f
    where e.export_id = ${held.id} and e.crc32 is null and f.id = e.file_id and f.crc32 is not null`.execute(
    db,
  )
  while (!stopping.aborted) {
    const { rows } = await sql<PhotoRow>`
      select e.n, e.file_id, e.size, f.storage_key from export_entries e ${joinEntryFileSql}
      where e.export_id = ${held.id} and e.crc32 is null and not ${whereEntryWasDeleted}
      order by e.n limit ${pagePhotos}`.execute(db)
    if (rows.length === 0) return
    for (const photo of rows) {
      if (stopping.aborted) return
      await readPhoto(ctx, held, photo)
    }
  }
}

async function readPhoto(
  { database: { kysely: db }, blobs, bytesPerSecond = maxGatherBytesPerSecond }: ExportGatherContext,
  held: ClaimedExport,
  { n, file_id, size, storage_key }: PhotoRow,
): Promise<void> {
  const begunAt = Date.now()
  const opened = await blobs.open(storage_key, 'original')
  // A file that was just deleted is skipped. Any other missing file is an error for the operator.
  if (!opened && !(await isFileThere(db, file_id))) return
  if (opened?.size !== size) throw new Error('the original of a photo is missing or has another size')
  let checksum = 0
  for await (const chunk of opened.read()) checksum = crc32(chunk as Buffer, checksum)
  await sql`update files set crc32 = ${checksum} where id = ${file_id}`.execute(db)
  await sql`
    update export_entries e set crc32 = ${checksum} where e.export_id = ${held.id} and e.n = ${n}`.execute(db)
  await whileHeld(db, held, sql`heartbeat_at = clock_timestamp(), failures = 0`)
  const spareMs = (size / bytesPerSecond) * 1000 - (Date.now() - begunAt)
  if (spareMs > 0) await pause(spareMs)
}

async function isFileThere(db: Kysely<DatabaseTables>, file: number): Promise<boolean> {
  const { rows } = await sql`
    select from files where id = ${file} and state in ('ready', 'attached')`.execute(db)
  return rows.length > 0
}

/**
 * The email is sent before the export ends, so that after a crash the member gets it twice rather than never.
 */
async function emailExportReady(ctx: ExportGatherContext, held: ClaimedExport): Promise<void> {
  const account = await ctx.database.kysely
    .selectFrom('accounts')
    .select(['email', 'email_verified'])
    .where('id', '=', held.account)
    .executeTakeFirst()
  if (!account?.email) return
  const { email, email_verified } = account
  if (!(await consumeUnverifiedAddressLimit(ctx, { email, email_verified }, null))) return
  ctx.emails.send(
    email,
    renderLinkEmail('export-ready', `${getConfiguredPublicUrl(ctx.config)}/settings/data`),
  )
}

async function finish({ database, notify }: ExportGatherContext, held: ClaimedExport): Promise<void> {
  const changes = await database.kysely.transaction().execute(async (db) => {
    await whileHeld(db, held, sql`heartbeat_at = clock_timestamp()`)
    await sql`
      delete from export_entries where export_id = ${held.id} and n in (
        select e.n from export_entries e ${joinEntryFileSql} where e.export_id = ${held.id} and (${whereEntryWasDeleted} or e.crc32 is null))`.execute(
      db,
    )
    const { entries, directoryAt, directoryBytes } = await layOut(db, held)
    const bytes =
      directoryAt +
      directoryBytes +
      renderEndOfCentralDirectory({ entries, startsAt: directoryAt, bytes: directoryBytes }).length
    await whileHeld(
      db,
      held,
      sql`state = 'ready', bytes = ${bytes}, directory_at = ${directoryAt}, directory_bytes = ${directoryBytes}, holder = null,
        ready_at = clock_timestamp(), dies_at = clock_timestamp() + ${`${exportLifetimeDays} days`}::interval`,
    )
    const candidates = sql`select ${renderNotificationCandidateColumns({
      user_id: held.member.toString(),
      kind: 'export-ready',
      subject: `'export:${held.id}'`,
      actor_id: 'null',
      at: 'clock_timestamp()',
    })}`
    return upsertNotifications(db, candidates, sql`select user_id from gathered`)
  })
  notify(changes)
}

type EntryRow = ZipEntry & { n: number }

async function layOut(db: Transaction<DatabaseTables>, { id }: ClaimedExport) {
  let [entries, startsAt, listedAt] = [0, 0, 0]
  for (let after = -1; ; ) {
    const { rows } = await sql<EntryRow>`
      select e.n, e.name, e.size, e.crc32, e.at from export_entries e
      where e.export_id = ${id} and e.n > ${after} order by e.n limit ${layoutRows}`.execute(db)
    const [starts, listed]: [number[], number[]] = [[], []]
    for (const entry of rows) {
      starts.push(startsAt)
      listed.push(listedAt)
      listedAt += renderCentralDirectoryHeader(entry, startsAt).length
      startsAt += renderLocalFileHeader(entry).length + entry.size
    }
    await sql`
      update export_entries e set starts_at = t.starts_at, listed_at = t.listed_at
      from unnest(${rows.map(({ n }) => n)}::int[], ${starts}::bigint[], ${listed}::bigint[]) as t (n, starts_at, listed_at)
      where e.export_id = ${id} and e.n = t.n`.execute(db)
    entries += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < layoutRows) return { entries, directoryAt: startsAt, directoryBytes: listedAt }
    after = last.n
  }
}
