/** Decides which comments under a post a member reads and how many, and which names in a text are shown as mentions. */
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

/** Bounds the comments that are checked one by one; of more, those by members out of sight are looked up instead. */
const maxCommentsLookedAt = sql.lit(100)

/**
 * Selects the parents of the comments under `post` by members who are out of `me`'s sight. Looks them up by author, since such members
 * are few and comments may be many; `offset 0` is an optimisation fence that keeps the planner from scanning the post's comments instead.
 */
export const selectCommentsOutOfSight = (
  me: MemberKeyExpression,
  post: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select hc.parent_id from (${selectClosedMembers} union select pair.other_id from block_pairs pair where pair.member_id = ${me})
    as hidden (id) cross join lateral (select oc.parent_id from comments oc
      where oc.post_id = ${post} and oc.author_id = hidden.id and oc.removed_at is null offset 0) as hc)`

/**
 * Counts the comments of the post `alias` that `me` reads: the post's stored count minus those by members who are out of sight.
 */
export const countReadableComments = (me: MemberKeyExpression, alias: string): RawBuilder<number> => {
  const { id, comment_count } = columnExpressionsOf<'posts'>(alias)
  return sql`case when ${comment_count} = 0 then 0
    when ${comment_count} <= ${maxCommentsLookedAt} then ${comment_count} - (select count(*)::int from comments oc
      where oc.post_id = ${id} and oc.removed_at is null and (not ${hasOpenAccount(sql.ref('oc.author_id'))}
        or oc.author_id in (select pair.other_id from block_pairs pair where pair.member_id = ${me})))
    else ${comment_count} - (select count(*)::int from ${selectCommentsOutOfSight(me, id)} as hidden) end`
}

/**
 * Counts the replies of the comment `thread` that are listed to `me`, who reads its post. The author of the post is listed all of them.
 * @param hidden a table of the post's `selectCommentsOutOfSight`
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

/**
 * The condition that a comment over `alias` is shown under a post that `me` reads: by a member in sight, and not removed. The post is
 * not asked for each of its comments again.
 */
export const whereCommentShown = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { author_id, removed_at } = columnExpressionsOf<'comments'>(alias)
  return and(isNull(removed_at), isMemberVisible(me, author_id))
}

/**
 * As `whereCommentShown`, and every one under a post of one's own: what its author does not see stands there as removed, so that it can
 * be removed for everybody else.
 */
export const whereCommentListed = (
  me: MemberKeyExpression,
  { post, comment }: { post: string; comment: string },
): SqlCondition => sql`(${sql.ref(`${post}.creator_id`)} = ${me} or ${whereCommentShown(me, comment)})`

/**
 * The condition that a comment was listed to `me` until it was removed within the last day, as far as its author is concerned: a page goes
 * on behind it, as behind one of which nothing is left.
 * @param removed when it was removed
 */
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

/** The condition that `me` may name a member anywhere: one who wants to be found, or with whom `me` is acquainted. */
export const whereMayNameMember = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  or(
    sql`exists (select from users lu where lu.id = ${member} and lu.is_listed offset 0)`,
    areAcquainted(me, member),
  )

/** The condition that a member stands under the post `alias` for all who read it: as its author, or by a comment. */
const isAuthorOrCommenter = (member: MemberKeyExpression, alias: string): SqlCondition => {
  const { id, creator_id } = columnExpressionsOf<'posts'>(alias)
  return or(
    eq(creator_id, member),
    sql`exists (select from comments bc where bc.post_id = ${id} and bc.author_id = ${member} and bc.removed_at is null offset 0)`,
  )
}

/**
 * The condition that a text of `writer` under the post `alias` mentions a member: each is in the other's sight, the writer may name
 * the member anywhere or reads that one there, and the member reads the post. Of anybody else a name is text: whoever guesses a name would
 * learn whose it is.
 */
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
 * The condition that `me`, who reads the post `alias`, is shown that a member is mentioned under it, and suggested to name that one: it is
 * shared with the member, and that does not tell `me` of a membership or a follow that `me` may not see. A block between the member and
 * the post's author changes nothing: `me`, who sees both, would learn of it.
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
