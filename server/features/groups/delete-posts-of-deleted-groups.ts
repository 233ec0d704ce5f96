/** Nobody can see these posts, and small transactions delay no request. */
import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import { deleteRows } from '../../store/delete-rows.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { recordCommentRemovalInCases } from '../comments/comment-effects.ts'

const batchPosts = 100
const batchRows = 500

/** Skips a group that another node is processing. */
export async function deleteNextPostBatch({ store }: Pick<AppContext, 'store'>): Promise<boolean> {
  return store.transact(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from deleted_groups order by deleted_at, id limit 1 for update skip locked`.execute(tx.db)
    const [group] = rows
    if (!group) return false
    const { rows: posts } = await sql<{ id: number }>`
      select id from posts where group_id = ${group.id} order by created_at desc, id desc limit ${batchPosts}`.execute(
      tx.db,
    )
    if (posts.length === 0) await tx.db.deleteFrom('deleted_groups').where('id', '=', group.id).execute()
    else await deletePosts(tx, sql`${posts.map(({ id }) => id)}::bigint[]`)
    return true
  })
}

/** Likes and comments are deleted first if there are too many for one transaction. */
async function deletePosts(tx: StoreTransaction, keys: RawBuilder<unknown>): Promise<void> {
  const ofPosts = sql`t.post_id = any(${keys})`
  await recordCommentRemovalInCases(tx, ofPosts)
  for (const [table, which] of [
    ['post_likes', ofPosts],
    ['saves', ofPosts],
    // Deleting a thread would cascade to all its replies.
    ['comments', sql`${ofPosts} and t.parent_id is not null`],
    ['comments', ofPosts],
  ] as const)
    if ((await deleteRows(tx.db, table, which, batchRows)) === batchRows) return
  await sql`
    update moderation_cases set subject_deleted_at = clock_timestamp()
    where kind = 'post' and subject_deleted_at is null
      and subject_id in (select p.public_id from posts p where p.id = any(${keys}))`.execute(tx.db)
  await tx.removeAll('posts', sql`t.id = any(${keys})`)
}
