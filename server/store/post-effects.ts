/** Runs the effects of updating a post, and of ending a follow on the posts that followers see. */
import { type Selectable, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import type { WriteContext } from './write-context.ts'

type Post = Selectable<DatabaseTables['posts']>

type Follow = Selectable<DatabaseTables['follows']>

/**
 * Records lost access for the former readers of a post that moves: from everybody or the author's followers into a group, from a
 * group to another, or to the followers of a private account.
 */
export async function onPostUpdated(tx: WriteContext, before: Post, after: Post): Promise<void> {
  if (before.group_id === after.group_id || (after.group_id === null && !after.followers_only)) return
  await tx.recordAccessLoss('posts', sql`t.id = ${after.id}`, readersOf(before))
}

/** An array of keys; null is everybody. */
function readersOf({ group_id, followers_only, creator_id }: Post) {
  if (group_id !== null)
    return sql`array(select m.user_id from group_members m where m.group_id = ${group_id})`
  return followers_only
    ? sql`array(select f.follower_id from follows f where f.following_id = ${creator_id})`
    : sql`null::bigint[]`
}

/** Records for a former follower that posts for followers are out of sight. */
export const onFollowRemoving = (tx: WriteContext, { follower_id, following_id }: Follow): Promise<void> =>
  tx.recordAccessLoss(
    'posts',
    sql`t.creator_id = ${following_id} and t.group_id is null and t.followers_only`,
    sql`array[${follower_id}]::bigint[]`,
  )
