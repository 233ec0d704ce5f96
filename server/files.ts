/**
 * Members' files after they have arrived: who sees one, its bytes and variants, and how it goes. A row's state leads and
 * the bytes follow: `ready` only over synced bytes, bytes removed only after `deleting` is committed
 * (architecture §14.9).
 */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Selectable, sql } from 'kysely'
import type { Blobs, Opened } from './blobs.ts'
import type { Database } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import { Failure, fail, isWantOfRoom } from './errors.ts'
import type { Composition } from './images/composition.ts'
import { canonicalWidth, type VariantFormat, variantName, widthsAtUpload } from './images/widths.ts'
import type { Images } from './images.ts'
import type { Log } from './log.ts'
import { within } from './patience.ts'
import { asMe, may, visible } from './policy.ts'
import { createSharedWork } from './shared-work.ts'

/** What files are made of. */
export type FileParts = { database: Database; blobs: Blobs; images: Images; log: Log }

export type FileRow = Selectable<Tables['files']>

export type VisibleFile = FileRow & {
  /** How many pieces a client need not send again. */
  pieces_kept: number
  /** It belongs to a group's post, so that leaving the group takes it away. */
  group_id: number | null
}

/**
 * The files `me` may read, her own unfinished ones among them.
 * @returns a query, to be narrowed
 */
export function visibleFiles({ database }: Pick<FileParts, 'database'>, me: number) {
  return visible(database.kysely, asMe(me), 'files')
    .leftJoin('posts', 'posts.image_id', 'files.id')
    .where('files.state', '<>', 'deleting')
    .selectAll('files')
    .select('posts.group_id')
    .select(piecesKept('files').as('pieces_kept'))
}

/**
 * How many pieces of a file a client need not send again. An unfinished upload never says that all are there: sending the
 * last one again is what finishes it after a crash.
 * @param alias of the file in the statement
 */
export const piecesKept = (alias: string) => {
  const file = sql.ref(alias)
  return sql<number>`case when ${file}.state <> 'uploading' then ${file}.chunks_total
    else least(${file}.chunks_total - 1, (
      select min(n) from generate_series(0, ${file}.chunks_total) as n
      where not exists (select from file_chunks c where c.file_id = ${file}.id and c.number = n)
    )) end`
}

/** @throws Failure storage_file_not_found also for what she may not read */
export async function findFile(parts: FileParts, me: number, publicId: string): Promise<VisibleFile> {
  const file = await visibleFiles(parts, me).where('files.public_id', '=', publicId).executeTakeFirst()
  return file ?? fail('storage_file_not_found')
}

/** @throws Failure storage_file_not_found while it is unfinished */
export async function openOriginal({ blobs }: FileParts, file: FileRow): Promise<Opened> {
  const opened = file.state === 'uploading' ? null : await blobs.open(file.storage_key, 'original')
  return opened ?? fail('storage_file_not_found')
}

/** The name of what `openVariant` gives: the same for every wish that the same bytes fulfil. */
export function variantFor(file: FileRow, wanted: { width: number; format: VariantFormat }): string {
  if (file.state === 'uploading' || file.width === null) fail('storage_file_not_found')
  return variantName(canonicalWidth(wanted.width, file.width), wanted.format)
}

/**
 * The picture at the next larger width (reading D-12): as it was made at upload, or made now and kept. Where making it takes
 * too long, or too many wait, one that is there already, so that a busy server shows her pictures all the same.
 * @param me whose turn it takes to make it
 * @param gone aborted when she looks no longer
 * @returns its bytes, and the name of what they are: another than `variantFor` says for one that stands in
 */
export async function openVariant(
  parts: FileParts,
  me: number,
  file: FileRow,
  wanted: { width: number; format: VariantFormat },
  gone?: AbortSignal,
): Promise<{ opened: Opened; name: string }> {
  const name = variantFor(file, wanted)
  const open = async (named: string) => {
    const opened = await parts.blobs.open(file.storage_key, named)
    return opened && { opened, name: named }
  }
  const kept = await open(name)
  if (kept) return kept
  const width = canonicalWidth(wanted.width, file.width as number)
  const variant = { ...wanted, width }
  const made = async (left: AbortSignal) => {
    await making(
      `${file.storage_key}/${name}`,
      (unwanted) => makeVariant(parts, me, file, variant, unwanted),
      left,
    )
    return open(name)
  }
  const instead = () => open(standIn(file, variant))
  const shown = await within(standInAfter, made, instead, gone).catch((thrown) => {
    if (isWantOfRoom(thrown) && !gone?.aborted) return instead()
    throw thrown
  })
  return shown ?? fail('storage_file_not_found')
}

/** What was there from the beginning and comes nearest: not narrower where there is such, in a format the client draws. */
function standIn(file: FileRow, { width, format }: { width: number; format: VariantFormat }): string {
  if (format !== 'webp') return 'original'
  const widths = widthsAtUpload(file.width as number)
  const nearest = widths.findLast((made) => made >= width) ?? (widths[0] as number)
  return variantName(nearest, 'webp')
}

/** Milliseconds. A process that has to be started first needs 0.3 s, and ten where sixteen others want the processor. */
const standInAfter = 2000

const making = createSharedWork<void>()

async function makeVariant(
  parts: FileParts,
  me: number,
  file: FileRow,
  variant: { width: number; format: VariantFormat },
  unwanted: AbortSignal,
): Promise<void> {
  const { blobs, images, database } = parts
  const name = variantName(variant.width, variant.format)
  await withOriginal(parts, me, file, async (original, output) => {
    await images.vary(me, original, output, variant, unwanted)
    await blobs.finish(file.storage_key, { [name]: output })
  })
  const still = await database.kysely
    .selectFrom('files')
    .select('state')
    .where('id', '=', file.id)
    .where('state', '<>', 'deleting')
    .executeTakeFirst()
  // It went while this was made, and its bytes may have gone before these came.
  if (!still) await blobs.remove(file.storage_key)
}

/** The picture as a client wishes it, of which there are too many to keep beside the original. */
export const composePicture = (
  parts: FileParts,
  me: number,
  file: FileRow,
  composition: Composition,
  unwanted: AbortSignal,
): Promise<Buffer> =>
  withOriginal(parts, me, file, async (original, output) => {
    await parts.images.compose(me, original, output, composition, unwanted)
    return await readFile(output)
  })

/** @param work on a local copy of the original, with a path for its result beside it */
async function withOriginal<T>(
  parts: FileParts,
  me: number,
  file: FileRow,
  work: (original: string, output: string) => Promise<T>,
): Promise<T> {
  using _place = parts.images.place(me)
  const opened = await openOriginal(parts, file)
  await using scratch = await parts.blobs.begin(opened.size * 2)
  const original = join(scratch.path, 'original')
  await pipeline(opened.read(), createWriteStream(original))
  return await work(original, join(scratch.path, 'result'))
}

/** @throws Failure storage_file_not_found for what she cannot read, user_unauthorized for what is not hers */
export async function renameFile(
  parts: FileParts,
  me: number,
  publicId: string,
  name: string | null | undefined,
): Promise<VisibleFile> {
  const { permitted, ...file } = await visibleFiles(parts, me)
    .select(may(asMe(me), 'update', 'files', 'files').as('permitted'))
    .where('files.public_id', '=', publicId)
    .executeTakeFirstOrThrow(() => new Failure('storage_file_not_found'))
  if (!permitted) fail('user_unauthorized')
  if (name == null) return file
  await parts.database.kysely.updateTable('files').set({ name }).where('id', '=', file.id).execute()
  return findFile(parts, me, publicId)
}

/**
 * Takes back her upload. One just released by its record is as good as deleted (reading W-08).
 * @throws Failure storage_file_in_use while a record has it, storage_file_not_found for everything that is not hers
 */
export async function deleteFile(parts: FileParts, me: number, publicId: string): Promise<void> {
  const file = await parts.database.kysely
    .selectFrom('files')
    .selectAll()
    .where('public_id', '=', publicId)
    .where(may(asMe(me), 'delete', 'files', 'files'))
    .executeTakeFirst()
  if (!file) return fail('storage_file_not_found')
  if (file.state === 'attached' || !(await discard(parts, file, ['uploading', 'ready', 'deleting']))) {
    fail('storage_file_in_use')
  }
}

/**
 * Row and bytes, gone.
 * @returns false when the file is in none of `states` any more
 */
export async function discard(
  parts: FileParts,
  file: Pick<FileRow, 'id' | 'storage_key'>,
  states: FileRow['state'][],
): Promise<boolean> {
  const db = parts.database.kysely
  const marked = await db
    .updateTable('files')
    .set({ state: 'deleting' })
    .where('id', '=', file.id)
    .where('state', 'in', states)
    .executeTakeFirst()
  if (marked.numUpdatedRows === 0n) return false
  await parts.blobs.remove(file.storage_key)
  await db.deleteFrom('files').where('id', '=', file.id).where('state', '=', 'deleting').execute()
  return true
}
