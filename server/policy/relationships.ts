import { type Expression, type RawBuilder, sql } from 'kysely'
import {
  and,
  type ColumnExpressions,
  columnExpressionsOf,
  eq,
  isNull,
  type MemberKeyExpression,
  noLock,
  not,
  or,
  type RowLockSql,
  type Rule,
  type SqlCondition,
} from './rule.ts'

/** The list of closed accounts is short. */
export const selectClosedMembers: RawBuilder<unknown> = sql`select gone.id from users gone join accounts closed on closed.id = gone.account_id
    where closed.status = 'blocked'`

/** A statement reads the closed accounts only once. */
export const hasOpenAccount = (member: Expression<unknown>): SqlCondition =>
  sql`${member} not in (${selectClosedMembers})`

/**
 * A block also covers other accounts of the blocked person.
 * `offset 0` looks up each pair by key; otherwise the planner hashes all pairs of `me` (decision 0131).
 */
export const notBlocked = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`not exists (select from block_pairs pair where pair.member_id = ${me} and pair.other_id = ${other} offset 0)`

/**
 * Closed accounts and blocked members are hidden in the same way everywhere, so that a block stays secret.
 */
export const isMemberVisible = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  and(hasOpenAccount(member), notBlocked(me, member))

/** A block can cover several accounts of one person. */
export const hasBlocked = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`exists (select from block_pairs bp join blocks own on own.id = bp.block_id
    where bp.member_id = ${me} and bp.other_id = ${other} and own.blocker_id = ${me} offset 0)`

/**
 * False also if the other member blocked `me` or closed their account: `me` must not learn of it from a difference.
 */
export const hasBlockedOneSidedly = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  and(
    hasBlocked(me, other),
    sql`not exists (select from block_pairs bp join blocks theirs on theirs.id = bp.block_id
      where bp.member_id = ${me} and bp.other_id = ${other} and theirs.blocker_id <> ${me} offset 0)`,
    hasOpenAccount(other),
  )

export const hasRestricted = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`exists (select from restrictions rs where rs.restricter_id = ${me} and rs.restricted_id = ${other} offset 0)`

/** Inside their group, admins need to see blocked members to moderate. */
export const adminSeesBlockedMember = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  group: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition => and(isGroupAdmin(me, group, lock), hasBlockedOneSidedly(me, member))

export const otherParticipantOf = (
  me: MemberKeyExpression,
  conversation: ColumnExpressions<'conversations'>,
): Expression<unknown> =>
  sql`case ${conversation.low_id} when ${me} then ${conversation.high_id} else ${conversation.low_id} end`
/** These groups stay hidden until the closed account of their admin reopens. */
const selectGroupsWithoutSuccessor = sql`(select hg.id from groups hg join users hu on hu.id = hg.admin_id join accounts ha on ha.id = hu.account_id
    where hg.without_heir and ha.status = 'blocked')`
export const isGroupNotWithoutSuccessor = (group: Expression<unknown>): SqlCondition =>
  sql`${group} not in ${selectGroupsWithoutSuccessor}`
export const isGroupMember = (
  me: Expression<unknown>,
  group: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from group_members gm where gm.group_id = ${group} and gm.user_id = ${me}
    and ${isGroupNotWithoutSuccessor(sql.ref('gm.group_id'))}${lock})`
export const isGroupAdmin = (
  me: MemberKeyExpression,
  group: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition => sql`exists (select from groups ga where ga.id = ${group} and ga.admin_id = ${me}${lock})`
/**
 * False for a report about the admin, for a closed account, and if the admin and the member are blocked from
 * each other.
 */
export const mayGroupAdminReviewReportsAbout = (
  admin: MemberKeyExpression,
  member: Expression<unknown>,
): SqlCondition => and(not(eq(member, admin)), hasOpenAccount(admin), isMemberVisible(admin, member))
export const isConversationParticipant = (
  me: MemberKeyExpression,
  conversation: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from conversations cp where cp.id = ${conversation} and ${me} in (cp.low_id, cp.high_id))`
/** False for a stranger whose first messages the recipient has neither answered nor accepted. */
export const isNotWaitingForAnswer = (
  me: MemberKeyExpression,
  { unanswered_by }: ColumnExpressions<'conversations'>,
): SqlCondition => or(isNull(unanswered_by), eq(unanswered_by, me))
export const mayWriteInConversation = (
  me: MemberKeyExpression,
  conversation: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from conversations cw where cw.id = ${conversation} and ${me} in (cw.low_id, cw.high_id)
    and ${isMemberVisible(me, sql.ref('cw.low_id'))} and ${isMemberVisible(me, sql.ref('cw.high_id'))})`
const mayChangeReaction = (
  me: MemberKeyExpression,
  message: Expression<unknown>,
  where: SqlCondition,
): SqlCondition =>
  sql`exists (select from messages rm join conversations rc on rc.id = rm.conversation_id
    where rm.id = ${message} and rm.unsent_at is null and rc.asked_id is null and ${where} and ${mayWriteInConversation(me, sql.ref('rc.id'))})`
/** A stranger can react only after the recipient answered or accepted. */
export const mayReactToMessage = (me: MemberKeyExpression, message: Expression<unknown>): SqlCondition =>
  mayChangeReaction(me, message, isNotWaitingForAnswer(me, columnExpressionsOf<'conversations'>('rc')))
export const mayWithdrawReaction = (me: MemberKeyExpression, message: Expression<unknown>): SqlCondition =>
  mayChangeReaction(me, message, sql`true`)
/** Existing conversations continue after the setting changes. */
export const acceptsNewConversationsFrom = (
  me: MemberKeyExpression,
  user: Pick<ColumnExpressions<'users'>, 'id' | 'messages_from'>,
): SqlCondition =>
  or(
    sql`${user.messages_from} in ('everyone', 'ask')`,
    and(sql`${user.messages_from} = 'followed'`, follows(user.id, me)),
  )
export const mayStartOrContinueConversation = (
  me: MemberKeyExpression,
  conversation: ColumnExpressions<'conversations'>,
): SqlCondition =>
  or(
    not(isNull(conversation.last_message_id)),
    sql`exists (select from users tu where tu.id = ${otherParticipantOf(me, conversation)}
      and ${acceptsNewConversationsFrom(me, columnExpressionsOf<'users'>('tu'))} offset 0)`,
  )
export const isListedAsMessageRequest = (
  me: MemberKeyExpression,
  conversation: ColumnExpressions<'conversations'>,
): SqlCondition =>
  or(
    sql`${conversation.asked_id} is not distinct from ${me}`,
    hasRestricted(me, otherParticipantOf(me, conversation)),
  )
/** `offset 0` makes PostgreSQL look up one follow by key. */
export const follows = (
  me: Expression<unknown>,
  followed: Expression<unknown>,
  lock: RowLockSql = noLock,
): SqlCondition =>
  sql`exists (select from follows fw where fw.follower_id = ${me} and fw.following_id = ${followed} offset 0${lock})`
export const areAcquainted = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  or(
    follows(me, other),
    follows(other, me),
    sql`exists (select from conversations ac where ac.low_id = least(${me}, ${other}) and ac.high_id = greatest(${me}, ${other})
      and ac.last_message_id is not null offset 0)`,
    sql`exists (select from group_members mine join group_members theirs on theirs.group_id = mine.group_id
      where mine.user_id = ${me} and theirs.user_id = ${other} offset 0)`,
  )
export const maySeeFollowersOnlyPosts = (
  me: MemberKeyExpression,
  author: Expression<unknown>,
  lock: RowLockSql = noLock,
): SqlCondition => or(eq(author, me), follows(me, author, lock))
/** A private account shows its follow lists to its followers at most. */
export const maySeeFollowLists = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  or(
    eq(member, me),
    sql`exists (select from users lu where lu.id = ${member} and ((lu.lists_for = 'everyone' and not lu.is_private)
      or (lu.lists_for <> 'me' and ${follows(me, member)})) offset 0)`,
  )
/**
 * Members other than the follower and the followed member see a follow only if both members' lists are
 * visible to them.
 */
export const maySeeFollow = (
  me: MemberKeyExpression,
  follow: { follower_id: Expression<unknown>; following_id: Expression<unknown> },
): SqlCondition =>
  or(
    eq(follow.follower_id, me),
    eq(follow.following_id, me),
    and(maySeeFollowLists(me, follow.follower_id), maySeeFollowLists(me, follow.following_id)),
  )
export const isWithinReportPeriod = (at: Expression<unknown>): SqlCondition =>
  sql`${at} > clock_timestamp() - interval '7 days'`
/** Holds for some days after a block or a closed account, so that neither prevents a report. */
export const wasVisibleUntilRecently = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  and(
    sql`not exists (select from users gone join accounts closed on closed.id = gone.account_id
      where gone.id = ${member} and closed.status = 'blocked' and ${isWithinReportPeriod(sql.ref('closed.closed_at'))} is not true)`,
    sql`not exists (select from block_pairs lp join blocks made on made.id = lp.block_id
      where lp.member_id = ${me} and lp.other_id = ${member} and not ${isWithinReportPeriod(sql.ref('made.created_at'))})`,
  )
export const hadJoined = (me: MemberKeyExpression, by: Expression<unknown>): SqlCondition =>
  sql`exists (select from users ju where ju.id = ${me} and ju.created_at <= ${by})`
/** The follow must still exist, and must have existed at the given time. */
export const hadFollowed = (
  me: MemberKeyExpression,
  followed: Expression<unknown>,
  by: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from follows fb where fb.follower_id = ${me} and fb.following_id = ${followed} and fb.created_at <= ${by} offset 0)`
/** The membership must still exist, and must have existed at the given time. */
export const wasGroupMember = (
  me: MemberKeyExpression,
  group: Expression<unknown>,
  by: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from group_members gm
    where gm.group_id = ${group} and gm.user_id = ${me} and gm.created_at <= ${by})`
/**
 * Selects the earliest of these times: hiding the post, withholding its last photo, closing the author's
 * account, and a block.
 * Null if none applies.
 */
export const selectWhenPostBecameHidden = (
  me: MemberKeyExpression,
  post: ColumnExpressions<'posts'>,
): RawBuilder<unknown> =>
  sql`least(${post.hidden_at},
    case when ${post.withheld_by} is not null then (select max(asked.at) from (select min(wp.hidden_at) as at from post_people wp
      where wp.post_id = ${post.id} and wp.hidden_at is not null group by wp.file_id) as asked) end,
    (select coalesce(closed.closed_at, '-infinity') from users gone join accounts closed on closed.id = gone.account_id
      where gone.id = ${post.creator_id} and closed.status = 'blocked'),
    (select min(made.created_at) from block_pairs gp join blocks made on made.id = gp.block_id
      where gp.member_id = ${me} and gp.other_id = ${post.creator_id}))`
/** Holds for some days after the author's account became private, if `me` had joined the community before. */
export const wasPublicUntilRecently = (
  me: MemberKeyExpression,
  post: ColumnExpressions<'posts'>,
  gone: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from users cu where cu.id = ${post.creator_id} and ${isWithinReportPeriod(sql.ref('cu.privatised_at'))}
    and ${post.created_at} < cu.privatised_at and ${hadJoined(me, sql`least(cu.privatised_at, ${gone})`)})`
export const isPrivateAccount = (member: Expression<unknown>): SqlCondition =>
  sql`exists (select from users pu where pu.id = ${member} and pu.is_private offset 0)`

/** False for posts of a deleted group, which wait for their own deletion. */
export const isGroupOfPostNotDeleted = (post: Pick<ColumnExpressions<'posts'>, 'group_id'>): SqlCondition =>
  or(isNull(post.group_id), sql`exists (select from groups tg where tg.id = ${post.group_id})`)

/**
 * Creators keep access to their hidden posts and to posts in groups they left. If a post's only photo is
 * withheld, only the creator and the person who asked to hide the photo see the post. Deletion records of
 * older versions have no `followers_only`, so their posts count as public.
 */
export const isPostSharedWith: Rule<'posts'> = (me, post, lock) =>
  or(
    and(
      isNull(post.hidden_by),
      or(isNull(post.withheld_by), eq(post.withheld_by, me)),
      or(
        and(
          isNull(post.group_id),
          or(sql`${post.followers_only} is not true`, maySeeFollowersOnlyPosts(me, post.creator_id, lock)),
        ),
        isGroupMember(me, post.group_id, lock),
      ),
    ),
    and(eq(post.creator_id, me), isGroupOfPostNotDeleted(post)),
  )

/** A withheld photo is visible to its author and to the first person who asked to hide it. */
export const maySeePhoto = (
  me: MemberKeyExpression,
  withheldBy: Expression<unknown>,
  author: Expression<unknown>,
): SqlCondition => or(isNull(withheldBy), eq(withheldBy, me), eq(author, me))

export const allowsTaggingInPhotos = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from users nu where nu.id = ${member} and (nu.pictured_by = 'everyone'
    or nu.pictured_by = 'followed' and ${follows(member, me, lock)})${lock})`

/** Members always see their own like. A creator who left the group does not see its likers. */
export const maySeeLikers: Rule<'posts'> = (me, post, lock) =>
  or(isNull(post.group_id), isGroupMember(me, post.group_id, lock))

export const isPendingJoinRequest = (request: ColumnExpressions<'group_requests'>): SqlCondition =>
  sql`${request.status} = 'pending'`
export const isNonAdminMember = (member: ColumnExpressions<'group_members'>): SqlCondition =>
  sql`${member.role} = 'member'`

export const isOtherNonAdminMember = (
  me: MemberKeyExpression,
  member: ColumnExpressions<'group_members'>,
): SqlCondition => and(isNonAdminMember(member), not(eq(member.user_id, me)))
