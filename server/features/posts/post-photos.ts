/**
 * The post's row holds the cover, and `post_photos` holds the others.
 * Values contain ordered upload ids in `image_ids`, or only the cover in `image_id`; descriptions are in
 * `image_alts`.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import type { PicturePurpose } from '../../store/collection-definitions.ts'
import type { ColumnValues, RequestedPhoto } from '../../store/store-transaction.ts'
import { extractMessagePhotoUploads } from '../chat/message-photos.ts'

type Db = Transaction<DatabaseTables>

type PhotoValues = {
  image_id?: string
  image_ids?: readonly string[]
  image_alts?: readonly (string | undefined)[]
}

type CurrentPhoto = { key: number; id: string; alt: string; withheldBy: number | null }

type PlacedPhoto = { key: number; alt: string; withheldBy: number | null }

export type PictureChange = {
  columns: ColumnValues
  /** The keys of files that the post no longer uses. */
  released: unknown[]
}

/** Omits undefined values, so that an update leaves these columns unchanged. */
function splitPhotoValues(values: ColumnValues): { photos: PhotoValues; columns: ColumnValues } {
  const { image_id, image_ids, image_alts, ...columns } = values
  const photos = Object.entries({ image_id, image_ids, image_alts }).filter(
    ([, value]) => value !== undefined,
  )
  return { photos: Object.fromEntries(photos), columns }
}

/**
 * Orders the photos: `image_id` becomes the first photo of `image_ids`. Without `image_ids`, it replaces the
 * cover.
 * @throws Failure post_photo_twice, document_invalid_structure for more descriptions than photos
 */
function arrangePhotos(given: PhotoValues, current: readonly CurrentPhoto[] = []): RequestedPhoto[] {
  const { image_id, image_ids, image_alts } = given
  const [cover, ...others] = current.map(({ id }) => id)
  const first = image_id ?? image_ids?.[0] ?? cover
  const ids = [first, ...(image_ids?.filter((id) => id !== first) ?? others)] as string[]
  if (hasTwins(ids) || hasTwins(image_ids ?? [])) throwFailure('post_photo_twice', { field: 'imageId' })
  if (image_alts && image_alts.length > ids.length)
    throwFailure('document_invalid_structure', { field: 'imageAlts' })
  return ids.map((id, at) => ({ id, alt: image_alts?.[at] }))
}

const hasTwins = (ids: readonly string[]) => new Set(ids).size < ids.length

export function extractPictureUploads(
  purpose: PicturePurpose | undefined,
  values: ColumnValues,
): { wanted: RequestedPhoto[]; columns: ColumnValues } {
  if (purpose === 'post') {
    const { photos, columns } = splitPhotoValues(values)
    const wanted = arrangePhotos(photos)
    return { wanted, columns: { ...columns, image_alt: wanted[0]?.alt ?? '' } }
  }
  if (purpose === 'message') return extractMessagePhotoUploads(values)
  const named = purpose && typeof values.image_id === 'string'
  return { wanted: named ? [{ id: values.image_id as string, alt: undefined }] : [], columns: values }
}

/** This part belongs in the statement that claims the photos (`claimed`) and writes the post (`written`). */
export const insertPhotosAfterCover = (photos: readonly RequestedPhoto[]): RawBuilder<unknown> => sql`
  insert into post_photos (post_id, position, file_id, alt)
  select written.id, photo.position - 1, claimed.id, photo.alt from written,
    unnest(${photos.map(({ id }) => id)}::text[], ${photos.map(({ alt }) => alt ?? '')}::text[])
      with ordinality as photo (id, alt, position)
    join claimed on claimed.public_id = photo.id
  where photo.position > 1`

/** Selects the columns `file_id`, `alt`, `withheld_by` and `position`, with the cover at 0. */
export const selectPostPhotos = (alias: string): RawBuilder<unknown> => {
  const post = sql.ref(alias)
  return sql`(select ${post}.image_id as file_id, ${post}.image_alt as alt, ${post}.withheld_by, 0 as position
    union all select pp.file_id, pp.alt, pp.withheld_by, pp.position from post_photos pp
    where ${post}.photo_count > 1 and pp.post_id = ${post}.id)`
}

/** If all photos are hidden, nothing changes. */
export function moveShownPhotoToCover<Photo extends { withheldBy: number | null }>(
  photos: readonly Photo[],
): Photo[] {
  const [first] = photos
  const at = photos.findIndex(({ withheldBy }) => withheldBy === null)
  const shown = photos[at]
  return first && shown && at > 0
    ? [shown, ...photos.slice(1, at), first, ...photos.slice(at + 1)]
    : [...photos]
}

export async function readPostPhotos(db: Db, postKey: number): Promise<CurrentPhoto[]> {
  const { rows } = await sql<CurrentPhoto>`
    select f.id as key, f.public_id as id, shown.alt, shown.withheld_by as "withheldBy" from posts p, lateral ${selectPostPhotos('p')} shown
    join files f on f.id = shown.file_id where p.id = ${postKey} order by shown.position`.execute(db)
  return rows
}

/**
 * Updates the photos. A changed description alone does not count as an edit, so the update time stays.
 * @param postKey of a post that the transaction has locked
 * @param attach claims the author's finished uploads by public id, or fails
 */
export async function updatePostPhotos(
  db: Db,
  postKey: number,
  values: ColumnValues,
  attach: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<PictureChange> {
  const { photos: given, columns } = splitPhotoValues(values)
  if (Object.keys(given).length === 0) return { columns, released: [] }
  const current = await readPostPhotos(db, postKey)
  const wanted = arrangePhotos(given, current)
  const known = new Map(current.map((photo) => [photo.id, photo]))
  const added = wanted.map(({ id }) => id).filter((id) => !known.has(id))
  const attached = added.length > 0 ? await attach(added) : new Map<string, number>()
  const photos = moveShownPhotoToCover(
    wanted.map(({ id, alt }) => ({
      key: known.get(id)?.key ?? (attached.get(id) as number),
      alt: alt ?? known.get(id)?.alt ?? '',
      withheldBy: known.get(id)?.withheldBy ?? null,
    })),
  )
  const isMoved = photos.length !== current.length || photos.some(({ key }, at) => key !== current[at]?.key)
  if (!isMoved && photos.every(({ alt }, at) => alt === current[at]?.alt)) return { columns, released: [] }
  const [cover, ...others] = photos
  await replacePhotosAfterCover(db, postKey, others)
  const shown = new Set(photos.map(({ key }) => key))
  return {
    columns: {
      ...columns,
      ...(isMoved && { image_id: cover?.key, withheld_by: cover?.withheldBy }),
      image_alt: cover?.alt,
    },
    released: current.map(({ key }) => key).filter((key) => !shown.has(key)),
  }
}

export async function replacePhotosAfterCover(
  db: Db,
  postKey: number,
  photos: readonly PlacedPhoto[],
): Promise<void> {
  await sql`delete from post_photos where post_id = ${postKey}`.execute(db)
  if (photos.length === 0) return
  await sql`
    insert into post_photos (post_id, position, file_id, alt, withheld_by)
    select ${postKey}::bigint, photo.position, photo.key, photo.alt, photo.withheld_by
    from unnest(${photos.map(({ key }) => key)}::bigint[], ${photos.map(({ alt }) => alt)}::text[],
        ${photos.map(({ withheldBy }) => withheldBy)}::bigint[])
      with ordinality as photo (key, alt, withheld_by, position)`.execute(db)
}

export async function readPhotoKeysAfterCover(db: Db, postKey: number): Promise<number[]> {
  const { rows } = await sql<{ file_id: number }>`
    select file_id from post_photos where post_id = ${postKey}`.execute(db)
  return rows.map(({ file_id }) => file_id)
}

export const selectPhotoKeysAfterCover = (source: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select pp.file_id from post_photos pp where pp.post_id in (select id from ${source})`
