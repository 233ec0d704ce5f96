/** Writes to comments lock the post first, so that concurrent replies and removals wait. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { systemActor, type WriteActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'

/**
 * A removal names at most this many replies, more than a screen shows. Clients remove any others with the
 * thread.
 */
const maxRepliesNamed = 500

type Comment = Selectable<DatabaseTables['comments']>

/**
 * If the author removes a comment with replies, its row stays. If the post's author removes it, the replies
 * are removed too.
 * @returns whether the row stays
 */
export async function tombstoneAnsweredThread(
  tx: StoreTransaction,
  comment: Comment,
  actor: WriteActor,
): Promise<boolean> {
  const { rows } = await sql<{ is_moderated: boolean; ends_thread: boolean }>`
    select p.creator_id = ${actor === systemActor ? null : actor}::bigint as is_moderated, exists (select from comments t
      where t.id = ${comment.parent_id} and t.removed_at is not null and t.reply_count = 1) as ends_thread
    from posts p where p.id = ${comment.post_id}`.execute(tx.db)
  const { is_moderated = false, ends_thread = false } = rows[0] ?? {}
  const isKept = comment.reply_count > 0 && !is_moderated
  // Removed replies may be by anyone, so everyone is notified.
  const isAlone = comment.reply_count === 0 || isKept
  await tx.recordChange('posts', comment.post_id, isAlone ? comment.author_id : undefined, 'comments')
  if (ends_thread)
    await tx.recordDeletions('comments', sql`t.id = ${comment.parent_id}`, {
      atMost: 1,
      causedBy: comment.author_id,
    })
  // Hiding by a moderator is not a removal.
  if (actor !== systemActor)
    await recordCommentRemovalInCases(
      tx,
      isKept ? sql`t.id = ${comment.id}` : sql`(t.id = ${comment.id} or t.parent_id = ${comment.id})`,
    )
  if (!isKept) {
    if (comment.reply_count > 0)
      await tx.recordDeletions('comments', sql`t.parent_id = ${comment.id}`, { atMost: maxRepliesNamed })
    return false
  }
  await tx.updateAll('comments', sql`t.id = ${comment.id}`, { removed_at: sql`clock_timestamp()` })
  await tx.recordChange('comments', comment.id)
  return true
}

/**
 * Must run before the removal. Locks comments before cases, as reports do.
 * @param which a condition on `t`, a comment
 */
export async function recordCommentRemovalInCases(
  { db }: Pick<StoreTransaction, 'db'>,
  which: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with reported as (
      select t.public_id from comments t where ${which} and t.removed_at is null and exists (
        select from moderation_cases c where c.kind = 'comment' and c.subject_id = t.public_id)
      order by t.id for no key update of t
    )
    update moderation_cases c set subject_deleted_at = clock_timestamp() from reported
    where c.kind = 'comment' and c.subject_id = reported.public_id and c.subject_deleted_at is null`.execute(
    db,
  )
}
