/** Hides and shows the photos of a post as those named in them ask. */
import { sql } from 'kysely'
import type { WriteContext } from '../../store/write-context.ts'
import { recordPostWithheld } from '../posts/post-effects.ts'
import { moveShownPhotoToCover, readPostPhotos, replacePhotosAfterCover } from '../posts/post-photos.ts'

/**
 * Brings a post to what is asked for its photos: a hidden cover gives its place to the first photo that is shown, and the post itself is
 * out of sight where there is none. The time of its last edit stays.
 * @param postKey of a post that the transaction has locked
 */
export async function syncPostWithWithheldPhotos(tx: WriteContext, postKey: number): Promise<void> {
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
  const goesOutOfSight = post.withheld_by === null && cover.withheldBy !== null
  if (goesOutOfSight && post.hidden_by === null) await recordPostWithheld(tx, post)
  if (others.length > 0) await replacePhotosAfterCover(db, postKey, others)
  // Naming the picture of the cover among what is set would move the time of the last edit.
  const isCoverNew = cover.key !== post.image_id
  await tx.updateAll('posts', sql`t.id = ${postKey}`, {
    withheld_by: cover.withheldBy,
    ...(isCoverNew && { image_id: cover.key, image_alt: cover.alt }),
  })
  await tx.recordChange('posts', postKey)
}
