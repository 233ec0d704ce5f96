/**
 * A row becomes `ready` after its bytes are synced, and bytes are removed after `deleting` is committed. A
 * crash therefore leaves only bytes that nothing needs.
 */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Expression, type Kysely, type Selectable, sql } from 'kysely'
import { buildFileChangesStatement, recordFileChange } from '../auth/record-token-and-file-changes.ts'
import type { BlobStore, OpenedBlob } from '../blobs/blob-store.ts'
import { withDeadline } from '../concurrency/deadline.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { Failure, isOverloaded, throwFailure } from '../errors.ts'
import type { RenderOptions } from '../images/apply-render-options.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import {
  getUploadVariantWidths,
  imageVariantName,
  resolveImageVariantWidth,
  type VariantFormat,
} from '../images/variant-widths.ts'
import type { ServerLogger } from '../log.ts'
import {
  columnExpressionsOf,
  isPublicFile,
  type MemberKeyExpression,
  memberKeyParameter,
  selectReadableRows,
  whereAccessRuleAllows,
} from '../policy/index.ts'
import { releasePublicIdsOfHeldFiles, whereNotHeldAsEvidence } from './evidence-hold.ts'

export type FileContext = { database: Database; blobs: BlobStore; images: ImageProcessor; log: ServerLogger }

export type FileRow = Selectable<DatabaseTables['files']>

export type VisibleFile = FileRow & {
  chunks_uploaded: number
  can_update: boolean
  can_delete: boolean
}

/**
 * Includes `me`'s own unfinished uploads. Only the uploader sees the file name, because phones put people and
 * places into it.
 */
const selectReadableFiles = (db: Kysely<DatabaseTables>, me: MemberKeyExpression) =>
  selectReadableRows(db, me, 'files')
    .where('files.state', '<>', 'deleting')
    .selectAll('files')
    .select(
      sql<string>`case when files.owner_id = ${me} then files.name
        when files.mime_type = 'image/png' then 'photo.png' else 'photo.jpg' end`.as('name'),
    )

/** `is_public` means that every member may see the file. */
export type ServedFile = FileRow & { is_public: boolean }

export const selectReadableFile = (db: Kysely<DatabaseTables>, me: MemberKeyExpression, publicId: string) =>
  selectReadableFiles(db, me)
    .select(isPublicFile(columnExpressionsOf<'files'>('files')).as('is_public'))
    .where('files.public_id', '=', publicId)

export function selectVisibleFiles({ database }: Pick<FileContext, 'database'>, me: number) {
  return selectReadableFiles(database.kysely, memberKeyParameter(me))
    .select(countUploadedChunksExpression('files').as('chunks_uploaded'))
    .select(whereAccessRuleAllows(memberKeyParameter(me), 'update', 'files', 'files').as('can_update'))
    .select(whereAccessRuleAllows(memberKeyParameter(me), 'delete', 'files', 'files').as('can_delete'))
}

/**
 * Counts the chunks that the client need not send again. These are never all chunks of an unfinished upload,
 * so that the client sends the last one again after a crash.
 * @param alias of the file in the statement
 */
export const countUploadedChunksExpression = (alias: string) => {
  const file = sql.ref(alias)
  return sql<number>`case when ${file}.state <> 'uploading' then ${file}.chunks_total
    else least(${file}.chunks_total - 1, (
      select min(n) from generate_series(0, ${file}.chunks_total) as n
      where not exists (select from file_chunks c where c.file_id = ${file}.id and c.number = n)
    )) end`
}

export async function findFile(context: FileContext, me: number, publicId: string): Promise<VisibleFile> {
  const file = await selectVisibleFiles(context, me)
    .where('files.public_id', '=', publicId)
    .executeTakeFirst()
  return file ?? throwFailure('storage_file_not_found')
}

export async function openOriginalFile({ blobs }: FileContext, file: FileRow): Promise<OpenedBlob> {
  const opened = file.state === 'uploading' ? null : await blobs.open(file.storage_key, 'original')
  return opened ?? throwFailure('storage_file_not_found')
}

/** Serves as an ETag: widths with the same bytes have the same name. */
export function resolveImageVariantName(
  file: FileRow,
  wanted: { width: number; format: VariantFormat },
): string {
  if (file.state === 'uploading' || file.width === null) throwFailure('storage_file_not_found')
  return imageVariantName(resolveImageVariantWidth(wanted.width, file.width), wanted.format)
}

/**
 * Opens the next larger fixed width, which is rendered and stored if needed. If that is slow or the queue is
 * full, opens an existing variant.
 * @param me for queue and quota
 * @param callerLeft aborts when the client disconnects
 * @returns the name differs from `resolveImageVariantName` for a substitute
 */
export async function openImageVariant(
  context: FileContext,
  me: number,
  file: FileRow,
  wanted: { width: number; format: VariantFormat },
  callerLeft?: AbortSignal,
): Promise<{ opened: OpenedBlob; name: string }> {
  const name = resolveImageVariantName(file, wanted)
  const open = async (named: string) => {
    const opened = await context.blobs.open(file.storage_key, named)
    return opened && { opened, name: named }
  }
  const existing = await open(name)
  if (existing) return existing
  const width = resolveImageVariantWidth(wanted.width, file.width as number)
  const variant = { ...wanted, width }
  const makeAndOpen = async (left: AbortSignal) => {
    await variantsInFlight(
      `${file.storage_key}/${name}`,
      (unwanted) => makeVariant(context, me, file, variant, unwanted),
      left,
    )
    return open(name)
  }
  const openFallback = () => open(fallbackVariant(file, variant))
  const variantOrFallback = await withDeadline(fallbackAfterMs, makeAndOpen, openFallback, callerLeft).catch(
    (thrown) => {
      if (isOverloaded(thrown) && !callerLeft?.aborted) return openFallback()
      throw thrown
    },
  )
  return variantOrFallback ?? throwFailure('storage_file_not_found')
}

/** Chooses a variant made at upload, preferably at least as wide. Without WebP, chooses the original. */
function fallbackVariant(file: FileRow, { width, format }: { width: number; format: VariantFormat }): string {
  if (format !== 'webp') return 'original'
  const widths = getUploadVariantWidths(file.width as number)
  const nearest = widths.findLast((made) => made >= width) ?? (widths[0] as number)
  return imageVariantName(nearest, 'webp')
}

/** The wait before a substitute is sent. A worker starts in 0.3 s, or in 10 s under heavy load. */
const fallbackAfterMs = 2000

const variantsInFlight = createSingleFlight<void>()

async function makeVariant(
  context: FileContext,
  me: number,
  file: FileRow,
  variant: { width: number; format: VariantFormat },
  unwanted: AbortSignal,
): Promise<void> {
  const { blobs, images, database } = context
  const name = imageVariantName(variant.width, variant.format)
  await withOriginal(context, me, file, async (original, output) => {
    await images.resize(me, original, output, variant, unwanted)
    await blobs.finish(file.storage_key, { [name]: output })
  })
  const remaining = await database.kysely
    .selectFrom('files')
    .select('state')
    .where('id', '=', file.id)
    .where((is) =>
      is.or([is('state', '<>', 'deleting'), is.not(whereNotHeldAsEvidence(sql.ref('files.id')))]),
    )
    .executeTakeFirst()
  // The file was deleted, perhaps before this variant was stored.
  if (!remaining) await blobs.remove(file.storage_key)
}

/** Renders an image without storing it, because there are too many combinations of options. */
export const renderFileImage = (
  context: FileContext,
  me: number,
  file: FileRow,
  composition: RenderOptions,
  unwanted: AbortSignal,
): Promise<Buffer> =>
  withOriginal(context, me, file, async (original, output) => {
    await context.images.render(me, original, output, composition, unwanted)
    return await readFile(output)
  })

async function withOriginal<T>(
  context: FileContext,
  me: number,
  file: FileRow,
  work: (original: string, output: string) => Promise<T>,
): Promise<T> {
  using _slot = context.images.reserveSlot(me)
  const opened = await openOriginalFile(context, file)
  await using scratch = await context.blobs.begin(opened.size * 2)
  const original = join(scratch.path, 'original')
  await pipeline(opened.read(), createWriteStream(original))
  return await work(original, join(scratch.path, 'result'))
}

/** @throws Failure storage_file_not_found, or user_unauthorized for a readable file */
export async function renameFile(
  context: FileContext,
  me: number,
  publicId: string,
  name: string | null | undefined,
): Promise<VisibleFile> {
  const file = await selectVisibleFiles(context, me)
    .where('files.public_id', '=', publicId)
    .executeTakeFirstOrThrow(() => new Failure('storage_file_not_found'))
  if (!file.can_update) throwFailure('user_unauthorized')
  if (name == null) return file
  await context.database.kysely.transaction().execute(async (db) => {
    await db.updateTable('files').set({ name }).where('id', '=', file.id).execute()
    if (file.state !== 'uploading') await recordFileChange(db, 'update', file.id)
  })
  return findFile(context, me, publicId)
}

/**
 * A statement that attaches finished uploads to a record, because a file belongs to only one record. Uploads are
 * locked in a fixed order. `offset 0` makes PostgreSQL look up each id instead of reading all pending uploads
 * (decision 0208).
 * @param permitted a condition on `files`
 */
export const claimUploads = (
  permitted: Expression<boolean>,
  fileIds: readonly string[],
  purpose: FileRow['purpose'],
) => sql`
  update files set state = 'attached', purpose = ${purpose} from (
    select files.id, files.state from files where files.public_id = any(${fileIds}::text[])
      and ${permitted} order by files.id offset 0 for no key update
  ) as named where files.id = named.id and named.state = 'ready'
  returning files.id, files.public_id`

/** The rows stay until the cleanup has removed the bytes. */
export async function releaseFiles(db: Kysely<DatabaseTables>, fileKeys: readonly unknown[]): Promise<void> {
  await sql`
    with released as (
      update files set state = 'deleting' where id = any(${fileKeys}::bigint[]) and state = 'attached' returning *
    )
    ${buildFileChangesStatement('delete', sql`released`)}`.execute(db)
}

/**
 * Also succeeds if the file's post has just released it, because clients delete the file after the post.
 * @throws Failure storage_file_in_use, storage_file_not_found for others' files
 */
export async function deleteFile(context: FileContext, me: number, publicId: string): Promise<void> {
  const file = await context.database.kysely
    .selectFrom('files')
    .selectAll()
    .where('public_id', '=', publicId)
    .where(whereAccessRuleAllows(memberKeyParameter(me), 'delete', 'files', 'files'))
    .executeTakeFirst()
  if (!file) return throwFailure('storage_file_not_found')
  if (
    file.state === 'attached' ||
    !(await deleteFileInStates(context, file, ['uploading', 'ready', 'deleting']))
  ) {
    throwFailure('storage_file_in_use')
  }
}

/** Deletes the file, unless it is evidence. @returns false if the file is no longer in one of `states` */
export async function deleteFileInStates(
  context: FileContext,
  file: Pick<FileRow, 'id' | 'storage_key'>,
  states: FileRow['state'][],
): Promise<boolean> {
  const db = context.database.kysely
  const marked = await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('files')
      .select('state')
      .where('id', '=', file.id)
      .where('state', 'in', states)
      .forUpdate()
      .executeTakeFirst()
    if (!before) return false
    await tx.updateTable('files').set({ state: 'deleting' }).where('id', '=', file.id).execute()
    // Unfinished uploads were never announced, and the deletion of released files already was.
    if (before.state === 'ready') await recordFileChange(tx, 'delete', file.id)
    return true
  })
  if (!marked) return false
  const unheld = await db
    .selectFrom('files')
    .select('id')
    .where('id', '=', file.id)
    .where(whereNotHeldAsEvidence(sql.ref('files.id')))
    .executeTakeFirst()
  if (!unheld) {
    await releasePublicIdsOfHeldFiles(db, sql`files.id = ${file.id}`)
    return true
  }
  await context.blobs.remove(file.storage_key)
  await db.deleteFrom('files').where('id', '=', file.id).where('state', '=', 'deleting').execute()
  return true
}
