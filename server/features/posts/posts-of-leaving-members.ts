import { type RawBuilder, sql } from 'kysely'
import { memberKeyParameter, whereMaySeeMemberInGroup, whereMemberHasAbility } from '../../policy/index.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { recordCommentRemovalInCases } from '../comments/comment-effects.ts'
import { whereCommentConcernsOthers } from './post-effects.ts'

/** Each hidden post records its whole audience, so this limits the number of recorded keys. */
const maxAudienceKeys = 20_000

/** Locks the posts, then the membership, in the same order as editing. */
export async function lockMemberPostsInGroup(tx: StoreTransaction, me: number, group: number): Promise<void> {
  await sql`
    select from posts t where t.group_id = ${group} and t.creator_id = ${me} order by t.id for no key update`.execute(
    tx.db,
  )
}

/**
 * Hides at most a hundred posts and records the members' loss of access.
 * @param which a condition over `t`, posts of one group
 * @returns the posts' keys
 */
export async function hideGroupPostsOfLeavingMember(
  tx: StoreTransaction,
  me: number,
  which: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number; group: number; readers: number }>`
    select t.id, g.id as "group", g.member_count as readers from posts t join groups g on g.id = t.group_id
    where ${which} and ${whereMemberHasAbility(memberKeyParameter(me), 'takeAlong', 'posts', 't')}
    order by t.id for no key update of t`.execute(tx.db)
  const keys = rows.map(({ id }) => id)
  if (!rows[0]) return keys
  const taken = sql`t.id = any(${keys}::bigint[])`
  await tx.updateAll('posts', taken, { hidden_by: 'author', hidden_at: sql`clock_timestamp()` })
  await tx.recordAccessLoss(
    'posts',
    taken,
    sql`array(select m.user_id from group_members m where m.group_id = t.group_id)`,
    ['hidden_at'],
    {
      atMost: Math.min(100, Math.ceil(maxAudienceKeys / rows[0].readers)),
      losers: selectOtherReaders(rows[0].group, me),
    },
  )
  await tx.recordChangeFor('posts', keys, me)
  return keys
}

const selectOtherReaders = (group: number, author: number) =>
  sql`array(select m.user_id from group_members m where m.group_id = ${group} and m.user_id <> ${author}
    and ${whereMaySeeMemberInGroup(sql.ref<number>('m.user_id'), sql`${author}::bigint`, sql`${group}::bigint`)})`

/** The posts stay hidden until their author moves them elsewhere. */
export async function moveHiddenPostsOutOfGroup(tx: StoreTransaction, group: number): Promise<void> {
  const hidden = sql`t.group_id = ${group} and t.hidden_by in ('author', 'group')`
  await sql`
    select from users u where u.id in (select t.creator_id from posts t where ${hidden})
    order by u.id for no key update`.execute(tx.db)
  for (const hidden_by of ['author', 'group'] as const) {
    const { rows } = await sql<{ id: number }>`
      select t.id from posts t where ${hidden} and t.hidden_by = ${hidden_by} order by t.id for no key update`.execute(
      tx.db,
    )
    const keys = rows.map(({ id }) => id)
    const kept = sql`t.id = any(${keys}::bigint[])`
    const said = whereCommentConcernsOthers(sql`t.post_id = any(${keys}::bigint[])`)
    await recordCommentRemovalInCases(tx, said)
    await tx.removeAll('comments', said)
    await tx.updateAll('posts', kept, { group_id: null, hidden_by, hidden_at: sql`clock_timestamp()` })
  }
}
