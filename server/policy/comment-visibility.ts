import { type Expression, type RawBuilder, sql } from 'kysely'
import { mayReadPostEvenIfWithheld } from './access-rules.ts'
import {
  areAcquainted,
  hasOpenAccount,
  isGroupMember,
  isMemberVisible,
  isPostSharedWith,
  maySeeFollow,
  selectClosedMembers,
} from './relationships.ts'
import {
  and,
  columnExpressionsOf,
  eq,
  isNull,
  type MemberKeyExpression,
  noLock,
  not,
  nullAsFalse,
  or,
  replaceColumns,
  type SqlCondition,
} from './rule.ts'

/** Above this number, a lookup of hidden members' comments replaces the check of each comment. */
const maxCommentsLookedAt = sql.lit(100)

/**
 * Selects comments of hidden members by author, because few members are hidden.
 * `offset 0` keeps the planner from scanning all comments.
 */
export const selectHiddenComments = (
  me: MemberKeyExpression,
  post: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select hc.parent_id from (${selectClosedMembers} union select pair.other_id from block_pairs pair where pair.member_id = ${me})
    as hidden (id) cross join lateral (select oc.parent_id from comments oc
      where oc.post_id = ${post} and oc.author_id = hidden.id and oc.removed_at is null offset 0) as hc)`

export const countReadableComments = (me: MemberKeyExpression, alias: string): RawBuilder<number> => {
  const { id, comment_count } = columnExpressionsOf<'posts'>(alias)
  return sql`case when ${comment_count} = 0 then 0
    when ${comment_count} <= ${maxCommentsLookedAt} then ${comment_count} - (select count(*)::int from comments oc
      where oc.post_id = ${id} and oc.removed_at is null and (not ${hasOpenAccount(sql.ref('oc.author_id'))}
        or oc.author_id in (select pair.other_id from block_pairs pair where pair.member_id = ${me})))
    else ${comment_count} - (select count(*)::int from ${selectHiddenComments(me, id)} as hidden) end`
}

/**
 * The post's author gets the count of all replies.
 * @param hidden the post's `selectHiddenComments`
 */
export const countListedReplies = (
  me: MemberKeyExpression,
  { post, thread, hidden }: { post: string; thread: string; hidden: string },
): RawBuilder<number> => {
  const { id, reply_count } = columnExpressionsOf<'comments'>(thread)
  return sql`case when ${reply_count} = 0 or ${sql.ref(`${post}.creator_id`)} = ${me} then ${reply_count}
    when ${reply_count} <= ${maxCommentsLookedAt} then (select count(*)::int from comments ra
      where ra.parent_id = ${id} and ${whereCommentShown(me, 'ra')})
    else ${reply_count} - (select count(*)::int from ${sql.table(hidden)} as ha where ha.parent_id = ${id}) end`
}

/** Does not check whether `me` may read the post. */
export const whereCommentShown = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { author_id, removed_at } = columnExpressionsOf<'comments'>(alias)
  return and(isNull(removed_at), isMemberVisible(me, author_id))
}

/** The post's author also sees hidden members' comments, as removed, and can delete them for everyone. */
export const whereCommentListed = (
  me: MemberKeyExpression,
  { post, comment }: { post: string; comment: string },
): SqlCondition => sql`(${sql.ref(`${post}.creator_id`)} = ${me} or ${whereCommentShown(me, comment)})`

/** For a day, the next page can continue after a removed comment. */
export const whereRemovedCommentWasListed = (
  me: MemberKeyExpression,
  { post, author, removed }: { post: string; author: Expression<unknown>; removed: Expression<unknown> },
): SqlCondition =>
  nullAsFalse(
    and(
      sql`${removed} > clock_timestamp() - interval '24 hours'`,
      or(eq(sql.ref(`${post}.creator_id`), me), isMemberVisible(me, author)),
    ),
  )

export const whereMayNameMember = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  or(
    sql`exists (select from users lu where lu.id = ${member} and lu.is_listed offset 0)`,
    areAcquainted(me, member),
  )

const isAuthorOrCommenter = (member: MemberKeyExpression, alias: string): SqlCondition => {
  const { id, creator_id } = columnExpressionsOf<'posts'>(alias)
  return or(
    eq(creator_id, member),
    sql`exists (select from comments bc where bc.post_id = ${id} and bc.author_id = ${member} and bc.removed_at is null offset 0)`,
  )
}

/** Other names stay plain text, because a mention would confirm a guessed username. */
export const whereMayBeMentioned = (
  member: MemberKeyExpression,
  writer: MemberKeyExpression,
  alias: string,
): SqlCondition =>
  nullAsFalse(
    and(
      isMemberVisible(writer, member),
      or(whereMayNameMember(writer, member), isAuthorOrCommenter(member, alias)),
      mayReadPostEvenIfWithheld(member, columnExpressionsOf<'posts'>(alias), noLock),
    ),
  )

/**
 * A mention must not reveal a membership or follow that `me` may not see.
 * A block between the mentioned member and the author is ignored, because `me` would otherwise learn of it.
 */
export const whereMentionShown = (
  me: MemberKeyExpression,
  member: MemberKeyExpression,
  alias: string,
): SqlCondition => {
  const post = columnExpressionsOf<'posts'>(alias)
  return nullAsFalse(
    and(
      isMemberVisible(me, member),
      isPostSharedWith(member, replaceColumns<'posts'>(post, { withheld_by: sql`null::bigint` }), noLock),
      or(
        eq(member, me),
        eq(member, post.creator_id),
        and(isNull(post.group_id), sql`${post.followers_only} is not true`),
        and(not(isNull(post.group_id)), isGroupMember(me, post.group_id, noLock)),
        and(isNull(post.group_id), maySeeFollow(me, { follower_id: member, following_id: post.creator_id })),
      ),
    ),
  )
}
