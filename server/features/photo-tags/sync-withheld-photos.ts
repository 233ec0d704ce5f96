import { sql } from 'kysely'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { recordPostWithheld } from '../posts/post-effects.ts'
import { moveShownPhotoToCover, readPostPhotos, replacePhotosAfterCover } from '../posts/post-photos.ts'

/**
 * Replaces a hidden cover with the first shown photo. If all photos are hidden, the post is withheld.
 * None of this counts as an edit.
 * @param postKey of a post that the transaction has locked
 */
export async function syncPostWithWithheldPhotos(tx: StoreTransaction, postKey: number): Promise<void> {
  const { db } = tx
  const post = await db.selectFrom('posts').selectAll().where('id', '=', postKey).executeTakeFirstOrThrow()
  const { rows: asked } = await sql<{ file_id: number; person_id: number }>`
    select distinct on (n.file_id) n.file_id, n.person_id from post_people n
    where n.post_id = ${postKey} and n.hidden_at is not null order by n.file_id, n.hidden_at, n.id`.execute(
    db,
  )
  const firstToAsk = new Map(asked.map(({ file_id, person_id }) => [file_id, person_id]))
  const before = await readPostPhotos(db, postKey)
  const photos = moveShownPhotoToCover(
    before.map((photo) => ({ ...photo, withheldBy: firstToAsk.get(photo.key) ?? null })),
  )
  if (
    photos.every(({ key, withheldBy }, at) => key === before[at]?.key && withheldBy === before[at].withheldBy)
  )
    return
  const [cover, ...others] = photos
  if (!cover) return
  const becomesWithheld = post.withheld_by === null && cover.withheldBy !== null
  if (becomesWithheld && post.hidden_by === null) await recordPostWithheld(tx, post)
  if (others.length > 0) await replacePhotosAfterCover(db, postKey, others)
  // Writing the same cover again would count as an edit.
  const isCoverNew = cover.key !== post.image_id
  await tx.updateAll('posts', sql`t.id = ${postKey}`, {
    withheld_by: cover.withheldBy,
    ...(isCoverNew && { image_id: cover.key, image_alt: cover.alt }),
  })
  await tx.recordChange('posts', postKey)
}
