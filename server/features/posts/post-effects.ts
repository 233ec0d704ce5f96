import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { whereMaySeeMemberInGroup } from '../../policy/index.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { recordCommentRemovalInCases } from '../comments/comment-effects.ts'

type Post = Selectable<DatabaseTables['posts']>

/**
 * After an update, readers lose access if the post is hidden, withheld, or moved to a group or to a private
 * account's followers.
 */
export async function afterPostUpdated(tx: StoreTransaction, before: Post, after: Post): Promise<void> {
  if (before.group_id !== after.group_id && (before.group_id !== null || before.followers_only))
    await removeWordsOfAudience(tx, before)
  if (before.hidden_by !== null || before.withheld_by !== null) return
  if (after.withheld_by !== null) {
    await recordPostWithheld(tx, before)
    return
  }
  if (after.hidden_by !== null) {
    await tx.recordAccessLoss('posts', sql`t.id = ${after.id}`, readersOf(before), ['hidden_at'])
    return
  }
  if (before.group_id === after.group_id || (after.group_id === null && !after.followers_only)) return
  await tx.recordAccessLoss('posts', sql`t.id = ${after.id}`, readersOf(before))
}

/** Comments beyond this number disappear when the client next loads the post. */
const maxCommentsNamed = 500

/**
 * Removes comments, which were meant for the old audience.
 * Only members who could see the post are notified: others would notice that the author changed something.
 */
async function removeWordsOfAudience(tx: StoreTransaction, before: Post): Promise<void> {
  const said = whereCommentConcernsOthers(sql`t.post_id = ${before.id}`)
  const isSeen = before.hidden_by === null && before.withheld_by === null
  const author = sql`array[${before.creator_id}]::bigint[]`
  const audience = isSeen ? sql`${readersOf(before)} || ${author}` : author
  await recordCommentRemovalInCases(tx, said)
  await tx.recordAccessLoss('comments', said, audience, ['post_id', 'parent_id'], {
    atMost: maxCommentsNamed,
  })
  await tx.removeAll('comments', said)
}

/**
 * Matches only other members' comments and the replies to them.
 * @param which a condition on `t`, a comment
 */
export const whereCommentConcernsOthers = (
  which: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`${which} and exists (
  select from posts wp where wp.id = t.post_id and (wp.creator_id <> t.author_id
    or exists (select from comments thread where thread.id = t.parent_id and thread.author_id <> wp.creator_id)))`

export const recordPostWithheld = (tx: StoreTransaction, before: Post): Promise<void> =>
  tx.recordAccessLoss('posts', sql`t.id = ${before.id}`, readersOf(before))

export async function beforePostRemoved({ db }: StoreTransaction, { id, public_id }: Post): Promise<void> {
  await sql`
    update moderation_cases set subject_deleted_at = clock_timestamp()
    where kind = 'post' and subject_id = ${public_id}`.execute(db)
  await recordCommentRemovalInCases({ db }, sql`t.post_id = ${id}`)
}

/** Selects the post's readers. Null means everyone. */
function readersOf({ group_id, followers_only, creator_id }: Post) {
  if (group_id !== null)
    return sql`array(select m.user_id from group_members m where m.group_id = ${group_id}
      and ${whereMaySeeMemberInGroup(sql.ref<number>('m.user_id'), sql`${creator_id}::bigint`, sql`${group_id}::bigint`)})`
  return followers_only
    ? sql`array(select f.follower_id from follows f where f.following_id = ${creator_id})`
    : sql`null::bigint[]`
}
