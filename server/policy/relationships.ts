/** Conditions on what two members, or a member and a group, conversation or post, are to each other: what rules are made of. */
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

/** Selects the members whose accounts are closed, of whom there are few. */
export const selectClosedMembers: RawBuilder<unknown> = sql`select gone.id from users gone join accounts closed on closed.id = gone.account_id
    where closed.status = 'blocked'`

/** Tells whether a member's account is open. A statement reads the closed ones once instead of looking up each member. */
export const hasOpenAccount = (member: Expression<unknown>): SqlCondition =>
  sql`${member} not in (${selectClosedMembers})`

/**
 * Tells whether neither of two members has blocked the other, nor holds a block of somebody else's for one of them. With
 * `offset 0` each pair is looked up by its key; without, the planner reads all pairs of `me` into a hash (decision 0131).
 */
export const notBlocked = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`not exists (select from block_pairs pair where pair.member_id = ${me} and pair.other_id = ${other} offset 0)`

/**
 * Tells whether `me` sees another member at all: neither one whose account is closed nor one behind a block. Both look alike
 * everywhere, so that a block tells nothing.
 */
export const isMemberVisible = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  and(hasOpenAccount(member), notBlocked(me, member))

/** Tells whether `me` blocked another member, or an account that the block also holds for. */
export const hasBlocked = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`exists (select from block_pairs bp join blocks own on own.id = bp.block_id
    where bp.member_id = ${me} and bp.other_id = ${other} and own.blocker_id = ${me} offset 0)`

/** As `hasBlocked`, of a member who is there and has not blocked `me`: what becomes of that member is no secret from `me`. */
export const hasBlockedOneSidedly = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  and(
    hasBlocked(me, other),
    sql`not exists (select from block_pairs bp join blocks theirs on theirs.id = bp.block_id
      where bp.member_id = ${me} and bp.other_id = ${other} and theirs.blocker_id <> ${me} offset 0)`,
    hasOpenAccount(other),
  )

/** Tells whether `me` has restricted another member, whose messages wait among the requests and are read unnoticed. */
export const hasRestricted = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`exists (select from restrictions rs where rs.restricter_id = ${me} and rs.restricted_id = ${other} offset 0)`

/** Tells whether a group's admin sees a member whom the admin blocked, within that group: else nobody would keep order there. */
export const adminSeesBlockedMember = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  group: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition => and(isGroupAdmin(me, group, lock), hasBlockedOneSidedly(me, member))

export const otherParticipantOf = (
  me: MemberKeyExpression,
  talk: ColumnExpressions<'conversations'>,
): Expression<unknown> => sql`case ${talk.low_id} when ${me} then ${talk.high_id} else ${talk.low_id} end`
/** Selects the groups that nobody could take over when their admin's account was closed. They are hidden until it is open. */
const selectGroupsWithoutHeir = sql`(select hg.id from groups hg join users hu on hu.id = hg.admin_id join accounts ha on ha.id = hu.account_id
    where hg.without_heir and ha.status = 'blocked')`
/** Tells whether a group has an admin who is there, or may be about to get one. */
export const isGroupNotWithoutHeir = (group: Expression<unknown>): SqlCondition =>
  sql`${group} not in ${selectGroupsWithoutHeir}`
export const isGroupMember = (
  me: Expression<unknown>,
  group: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from group_members gm where gm.group_id = ${group} and gm.user_id = ${me}
    and ${isGroupNotWithoutHeir(sql.ref('gm.group_id'))}${lock})`
export const isGroupAdmin = (
  me: MemberKeyExpression,
  group: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition => sql`exists (select from groups ga where ga.id = ${group} and ga.admin_id = ${me}${lock})`
/**
 * Tells whether a group's admin may look at what a member is said to have done in the group: never at what the admin is said to have
 * done, nor with a block between the two or either account closed.
 */
export const mayReviewReportsAbout = (
  admin: MemberKeyExpression,
  member: Expression<unknown>,
): SqlCondition => and(not(eq(member, admin)), hasOpenAccount(admin), isMemberVisible(admin, member))
export const isConversationParticipant = (
  me: MemberKeyExpression,
  conversation: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from conversations cp where cp.id = ${conversation} and ${me} in (cp.low_id, cp.high_id))`
export const mayWriteInConversation = (
  me: MemberKeyExpression,
  conversation: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from conversations cw where cw.id = ${conversation} and ${me} in (cw.low_id, cw.high_id)
    and ${isMemberVisible(me, sql.ref('cw.low_id'))} and ${isMemberVisible(me, sql.ref('cw.high_id'))})`
/** Tells whether `me` may react to a message: to one that says something, where `me` may write and nobody is asked any more. */
export const mayReactToMessage = (me: MemberKeyExpression, message: Expression<unknown>): SqlCondition =>
  sql`exists (select from messages rm join conversations rc on rc.id = rm.conversation_id
    where rm.id = ${message} and rm.unsent_at is null and rc.asked_id is null and ${mayWriteInConversation(me, sql.ref('rc.id'))})`
/**
 * Tells whether `me` may begin to write to a member, as that member chose; who has to ask may too. What was begun goes on
 * whatever is chosen later.
 */
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
  talk: ColumnExpressions<'conversations'>,
): SqlCondition =>
  or(
    not(isNull(talk.last_message_id)),
    sql`exists (select from users tu where tu.id = ${otherParticipantOf(me, talk)}
      and ${acceptsNewConversationsFrom(me, columnExpressionsOf<'users'>('tu'))} offset 0)`,
  )
/** Tells whether a conversation waits for `me` to answer, or goes on unnoticed: it is listed apart, and the read mark stands still. */
export const isListedAsMessageRequest = (
  me: MemberKeyExpression,
  talk: ColumnExpressions<'conversations'>,
): SqlCondition =>
  or(sql`${talk.asked_id} is not distinct from ${me}`, hasRestricted(me, otherParticipantOf(me, talk)))
/** One follow is looked up by its key, because of `offset 0`. */
export const follows = (
  me: Expression<unknown>,
  followed: Expression<unknown>,
  lock: RowLockSql = noLock,
): SqlCondition =>
  sql`exists (select from follows fw where fw.follower_id = ${me} and fw.following_id = ${followed} offset 0${lock})`
/** Tells whether two members follow one another in either direction, talk with each other or are in a group together. */
export const areAcquainted = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  or(
    follows(me, other),
    follows(other, me),
    sql`exists (select from conversations ac where ac.low_id = least(${me}, ${other}) and ac.high_id = greatest(${me}, ${other})
      and ac.last_message_id is not null offset 0)`,
    sql`exists (select from group_members mine join group_members theirs on theirs.group_id = mine.group_id
      where mine.user_id = ${me} and theirs.user_id = ${other} offset 0)`,
  )
/** Tells whether `me` sees what a member shares with followers alone. */
export const maySeeFollowersOnlyPosts = (
  me: MemberKeyExpression,
  author: Expression<unknown>,
  lock: RowLockSql = noLock,
): SqlCondition => or(eq(author, me), follows(me, author, lock))
/** Tells whether `me` sees whom a member follows and is followed by. A private account's lists are never wider than followers. */
export const maySeeFollowLists = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  or(
    eq(member, me),
    sql`exists (select from users lu where lu.id = ${member} and ((lu.lists_for = 'everyone' and not lu.is_private)
      or (lu.lists_for <> 'me' and ${follows(me, member)})) offset 0)`,
  )
/** A follow is its two members'; to others it shows as far as both of them let their lists be seen. */
export const maySeeFollow = (
  me: MemberKeyExpression,
  follow: { follower_id: Expression<unknown>; following_id: Expression<unknown> },
): SqlCondition =>
  or(
    eq(follow.follower_id, me),
    eq(follow.following_id, me),
    and(maySeeFollowLists(me, follow.follower_id), maySeeFollowLists(me, follow.following_id)),
  )
/** How long what went out of sight can still be reported. */
export const isWithinReportPeriod = (at: Expression<unknown>): SqlCondition =>
  sql`${at} > clock_timestamp() - interval '7 days'`
/** As `isMemberVisible`, now or within the last days: neither a block nor closing the account keeps a member from being reported at once. */
export const wasVisibleUntilRecently = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  and(
    sql`not exists (select from users gone join accounts closed on closed.id = gone.account_id
      where gone.id = ${member} and closed.status = 'blocked' and ${isWithinReportPeriod(sql.ref('closed.closed_at'))} is not true)`,
    sql`not exists (select from block_pairs lp join blocks made on made.id = lp.block_id
      where lp.member_id = ${me} and lp.other_id = ${member} and not ${isWithinReportPeriod(sql.ref('made.created_at'))})`,
  )
/** Tells whether `me` had signed up by a time. */
export const hadJoined = (me: MemberKeyExpression, by: Expression<unknown>): SqlCondition =>
  sql`exists (select from users ju where ju.id = ${me} and ju.created_at <= ${by})`
/** Tells whether `me`, who follows a member, did so by a time. */
export const hadFollowed = (
  me: MemberKeyExpression,
  followed: Expression<unknown>,
  by: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from follows fb where fb.follower_id = ${me} and fb.following_id = ${followed} and fb.created_at <= ${by} offset 0)`
/**
 * Tells whether `me`, who is in a group, was in it by a time. Decides who receives a deletion, when the row is gone and no rule applies, and
 * who could read what has gone out of sight since.
 */
export const wasGroupMember = (
  me: MemberKeyExpression,
  group: Expression<unknown>,
  by: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from group_members gm
    where gm.group_id = ${group} and gm.user_id = ${me} and gm.created_at <= ${by})`
/**
 * Selects when a post went out of `me`'s sight: was hidden, lost its last photo to who is in it, or its author closed the account or a block came
 * between the two, whichever was first. Null where nothing of that is so.
 */
export const selectWhenPostWentOutOfSight = (
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
/** Tells whether everybody saw the post, and `me` with them, until its author's account became private within the last days. */
export const wasPublicUntilRecently = (
  me: MemberKeyExpression,
  post: ColumnExpressions<'posts'>,
  gone: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from users cu where cu.id = ${post.creator_id} and ${isWithinReportPeriod(sql.ref('cu.privatised_at'))}
    and ${post.created_at} < cu.privatised_at and ${hadJoined(me, sql`least(cu.privatised_at, ${gone})`)})`
export const isPrivateAccount = (member: Expression<unknown>): SqlCondition =>
  sql`exists (select from users pu where pu.id = ${member} and pu.is_private offset 0)`

/** Tells whether a post's group is there, of a post in one: of a deleted group the posts are too, though they wait for their turn. */
export const isGroupOfPostNotDeleted = (post: Pick<ColumnExpressions<'posts'>, 'group_id'>): SqlCondition =>
  or(isNull(post.group_id), sql`exists (select from groups tg where tg.id = ${post.group_id})`)

/**
 * A post outside groups is shared with everybody, or with followers; a group's with its members and with its creator after leaving;
 * a hidden one with its creator alone. One whose only photo is withheld is shared with its creator and who asked to hide it. A post
 * deleted before there were posts for followers was everybody's.
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

/**
 * Tells whether `me` sees a photo of a post that `me` reads: nobody in it has asked to hide it, but for who asked first and the post's
 * author.
 */
export const maySeePhoto = (
  me: MemberKeyExpression,
  withheldBy: Expression<unknown>,
  author: Expression<unknown>,
): SqlCondition => or(isNull(withheldBy), eq(withheldBy, me), eq(author, me))

/** Tells whether `member` may be named in photos by `me`. */
export const allowsTaggingInPhotos = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from users nu where nu.id = ${member} and (nu.pictured_by = 'everyone'
    or nu.pictured_by = 'followed' and ${follows(member, me, lock)})${lock})`

/** Tells who may learn who likes a post, beside the caller's own like: of a group's post its members, not its creator after leaving. */
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
