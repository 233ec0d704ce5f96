/** Which comments under a post a member reads and counts, and which names show as mentions. */
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

/** Up to this many comments are checked individually; above it, comments by hidden members are looked up. */
const maxCommentsLookedAt = sql.lit(100)

/**
 * Selects parents of comments under `post` by members not visible to `me`. Looks them up by author, because
 * there are few; `offset 0` keeps the planner from scanning all comments.
 */
export const selectCommentsOutOfSight = (
  me: MemberKeyExpression,
  post: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select hc.parent_id from (${selectClosedMembers} union select pair.other_id from block_pairs pair where pair.member_id = ${me})
    as hidden (id) cross join lateral (select oc.parent_id from comments oc
      where oc.post_id = ${post} and oc.author_id = hidden.id and oc.removed_at is null offset 0) as hc)`

/** Counts post `alias`'s comments that `me` reads: the stored count minus those of members not visible. */
export const countReadableComments = (me: MemberKeyExpression, alias: string): RawBuilder<number> => {
  const { id, comment_count } = columnExpressionsOf<'posts'>(alias)
  return sql`case when ${comment_count} = 0 then 0
    when ${comment_count} <= ${maxCommentsLookedAt} then ${comment_count} - (select count(*)::int from comments oc
      where oc.post_id = ${id} and oc.removed_at is null and (not ${hasOpenAccount(sql.ref('oc.author_id'))}
        or oc.author_id in (select pair.other_id from block_pairs pair where pair.member_id = ${me})))
    else ${comment_count} - (select count(*)::int from ${selectCommentsOutOfSight(me, id)} as hidden) end`
}

/**
 * Counts replies in `thread` listed to `me`, who reads its post; the post's author gets all.
 * @param hidden the post's `selectCommentsOutOfSight`
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
 * Matches comments shown under a readable post: author visible and not removed. Does not check the post
 * again.
 */
export const whereCommentShown = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { author_id, removed_at } = columnExpressionsOf<'comments'>(alias)
  return and(isNull(removed_at), isMemberVisible(me, author_id))
}

/**
 * As `whereCommentShown`, plus all under an own post: comments its author cannot see appear removed, so that
 * the author can delete them for everyone.
 */
export const whereCommentListed = (
  me: MemberKeyExpression,
  { post, comment }: { post: string; comment: string },
): SqlCondition => sql`(${sql.ref(`${post}.creator_id`)} = ${me} or ${whereCommentShown(me, comment)})`

/**
 * Matches a comment removed within the last day that was listed to `me`, as far as its author matters: a page
 * continues after it.
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

/** Matches members whom `me` may mention anywhere: listed ones and acquaintances. */
export const whereMayNameMember = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  or(
    sql`exists (select from users lu where lu.id = ${member} and lu.is_listed offset 0)`,
    areAcquainted(me, member),
  )

/** Matches the post `alias`'s author and commenters, whom all readers see. */
const isAuthorOrCommenter = (member: MemberKeyExpression, alias: string): SqlCondition => {
  const { id, creator_id } = columnExpressionsOf<'posts'>(alias)
  return or(
    eq(creator_id, member),
    sql`exists (select from comments bc where bc.post_id = ${id} and bc.author_id = ${member} and bc.removed_at is null offset 0)`,
  )
}

/**
 * Matches a member whom `writer` can mention under post `alias`: mutually visible, mentionable or present
 * there, and reading the post. Other names stay text, because mentions would confirm guessed usernames.
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
 * Matches mentions shown and suggested to `me`, a reader of post `alias`: only if showing them reveals no
 * membership or follow that `me` may not see. Ignores a block between member and author, because `me` would
 * learn of it.
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
