/** Runs the effects of updating a post: those who could see it are told that they no longer can. */
import { type Selectable, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import type { WriteContext } from './write-context.ts'

type Post = Selectable<DatabaseTables['posts']>

/**
 * Records lost access for the former readers of a post that is hidden, or moves: from everybody or the author's followers into a
 * group, from a group to another, or to the followers of a private account.
 */
export async function onPostUpdated(tx: WriteContext, before: Post, after: Post): Promise<void> {
  if (before.hidden_by !== null) return
  if (after.hidden_by !== null) {
    await tx.recordAccessLoss('posts', sql`t.id = ${after.id}`, readersOf(before), ['hidden_at'])
    return
  }
  if (before.group_id === after.group_id || (after.group_id === null && !after.followers_only)) return
  await tx.recordAccessLoss('posts', sql`t.id = ${after.id}`, readersOf(before))
}

/** Notes in cases about the post that its author deleted it. */
export async function onPostRemoving({ db }: WriteContext, { public_id }: Post): Promise<void> {
  await sql`
    update moderation_cases set subject_deleted_at = clock_timestamp()
    where kind = 'post' and subject_id = ${public_id}`.execute(db)
}

/** An array of keys; null is everybody. */
function readersOf({ group_id, followers_only, creator_id }: Post) {
  if (group_id !== null)
    return sql`array(select m.user_id from group_members m where m.group_id = ${group_id})`
  return followers_only
    ? sql`array(select f.follower_id from follows f where f.following_id = ${creator_id})`
    : sql`null::bigint[]`
}
