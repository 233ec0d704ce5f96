import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { ColumnValues, RequestedPhoto } from '../../store/store-transaction.ts'

/** Reads ordered upload ids from `image_ids` and their descriptions from `image_alts`. */
export function extractMessagePhotoUploads(values: ColumnValues): {
  wanted: RequestedPhoto[]
  columns: ColumnValues
} {
  const { image_ids, image_alts, ...columns } = values
  const ids = (image_ids ?? []) as readonly string[]
  const alts = (image_alts ?? []) as readonly (string | undefined)[]
  const wanted = ids.map((id, at) => ({ id, alt: alts[at] }))
  return { wanted, columns: wanted.length > 0 ? { ...columns, photo_count: wanted.length } : columns }
}

/** Use this in the statement that claims the photos (`claimed`) and writes the message (`written`). */
export const insertMessagePhotos = (photos: readonly RequestedPhoto[]): RawBuilder<unknown> => sql`
  insert into message_photos (message_id, position, file_id, alt)
  select written.id, photo.position - 1, claimed.id, photo.alt from written,
    unnest(${photos.map(({ id }) => id)}::text[], ${photos.map(({ alt }) => alt ?? '')}::text[])
      with ordinality as photo (id, alt, position)
    join claimed on claimed.public_id = photo.id
  where not written.existed`

export async function readMessagePhotoKeys(
  db: Transaction<DatabaseTables>,
  messageKey: number,
): Promise<number[]> {
  const { rows } = await sql<{ file_id: number }>`
    select file_id from message_photos where message_id = ${messageKey}`.execute(db)
  return rows.map(({ file_id }) => file_id)
}
