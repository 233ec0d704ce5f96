/** The rows behind unfinished uploads: whose they are, how many she may have, which pieces have arrived. */
import { sql, type Transaction } from 'kysely'
import { uploadChunkBytes } from '#contract/limits.ts'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { type FileParts, type FileRow, piecesKept } from './files.ts'
import { removeReleased } from './files-sweep.ts'
import { newId } from './ids.ts'
import { asMe, may } from './policy.ts'
import type { Piece } from './uploads.ts'

/** Unfinished uploads of one member at a time (security reference F10). */
const openUploads = 3
/** An upload that got no piece for so long makes room for a new one. */
const idleMinutes = 5

/**
 * Her unfinished upload that a piece belongs to: the one that is there, or a new one.
 * @throws Failure storage_file_already_exists, storage_file_not_found, storage_invalid_content_range,
 * general_rate_limit_exceeded
 */
export async function claimUpload(parts: FileParts, me: number, piece: Piece): Promise<FileRow> {
  const ended: string[] = []
  const upload = await parts.database.kysely.transaction().execute(async (db) => {
    // One at a time for each member: else two could both be the third.
    await sql`select pg_advisory_xact_lock(hashtextextended('uploads', ${me}))`.execute(db)
    const found = await db
      .selectFrom('files')
      .selectAll()
      .select(may(asMe(me), 'update', 'files', 'files').as('permitted'))
      .where('public_id', '=', piece.fileId)
      .executeTakeFirst()
    if (found) return continued(found, piece)
    if (piece.continues) return fail('storage_file_not_found')
    ended.push(...(await makeRoom(db, me)))
    return db
      .insertInto('files')
      .values({
        public_id: piece.fileId,
        owner_id: me,
        name: piece.name,
        storage_key: newId(32),
        announced_size: piece.total,
        chunks_total: Math.ceil(piece.total / uploadChunkBytes),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  await removeReleased(parts, ended)
  return upload
}

function continued({ permitted, ...file }: FileRow & { permitted: boolean }, piece: Piece): FileRow {
  if (permitted && file.state === 'uploading') {
    if (file.announced_size === piece.total) return file
    return fail('storage_invalid_content_range', {
      message: 'The content range names another size than before.',
    })
  }
  // Of somebody else's upload only that the id is taken may be seen (security reference F04).
  const hers = permitted && file.state !== 'deleting'
  return fail(hers || !piece.continues ? 'storage_file_already_exists' : 'storage_file_not_found')
}

/**
 * How many are under way is counted by whose they are, not by who may change them.
 * @returns the keys of idle uploads that were ended for the new one
 */
async function makeRoom(db: Transaction<Tables>, me: number): Promise<string[]> {
  const unfinished = await db
    .selectFrom('files')
    .select(['id', 'storage_key'])
    .select(sql<boolean>`updated_at < clock_timestamp() - ${`${idleMinutes} minutes`}::interval`.as('idle'))
    .where('owner_id', '=', me)
    .where('state', '=', 'uploading')
    .orderBy('updated_at')
    .execute()
  const tooMany = Math.max(0, unfinished.length - openUploads + 1)
  const idle = unfinished.filter((upload) => upload.idle).slice(0, tooMany)
  if (idle.length < tooMany) {
    fail('general_rate_limit_exceeded', {
      message: 'Three uploads are under way already. Finish or delete one of them first.',
      retryAfter: 10,
    })
  }
  if (idle.length === 0) return []
  const ids = idle.map(({ id }) => id)
  await db.updateTable('files').set({ state: 'deleting' }).where('id', 'in', ids).execute()
  return idle.map(({ storage_key }) => storage_key)
}

/**
 * Notes that a piece is there and that the upload is not idle. The lock on its row makes pieces wait for each other, so
 * that one of two last ones sees them all.
 * @returns how many pieces there are, and how many of them need not be sent again
 * @throws Failure when it is no longer an unfinished upload
 */
export async function recordPiece(
  { database }: FileParts,
  upload: FileRow,
  { number, size }: Piece,
): Promise<{ arrived: number; pieces_kept: number }> {
  return database.kysely.transaction().execute(async (db) => {
    const { state } = await db
      .updateTable('files')
      .set({ state: sql`state` })
      .where('id', '=', upload.id)
      .returning('state')
      .executeTakeFirstOrThrow(() => fail('storage_file_not_found'))
    if (state === 'deleting') fail('storage_file_not_found')
    if (state !== 'uploading') fail('storage_file_already_exists')
    await db
      .insertInto('file_chunks')
      .values({ file_id: upload.id, number, size })
      .onConflict((conflict) => conflict.columns(['file_id', 'number']).doUpdateSet({ size }))
      .execute()
    return db
      .selectFrom('files')
      .select(piecesKept('files').as('pieces_kept'))
      .select(sql<number>`(select count(*) from file_chunks c where c.file_id = files.id)`.as('arrived'))
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow()
  })
}
