/** Who may read, create, update and delete a row of each table. */
import { type Expression, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import {
  adminOf,
  adminSeesBlockedMember,
  follows,
  hasOpenAccount,
  isPendingJoinRequest,
  isPlainMember,
  isPostSharedWith,
  isPrivateAccount,
  isVisible,
  mayStartOrContinueConversation,
  mayWriteIn,
  memberOf,
  notBlocked,
  participantOf,
  seesFollow,
  seesLikers,
} from './relationships.ts'
import {
  type AccessRuleAction,
  and,
  type ColumnExpressions,
  columnExpressionsOf,
  deny,
  eq,
  isNull,
  type Lock,
  type MemberKeyExpression,
  not,
  or,
  type PolicyTable,
  type Rule,
  type Rules,
  type SqlCondition,
} from './rule.ts'

const readablePost = (me: MemberKeyExpression, post: Expression<unknown>, lock: Lock): SqlCondition =>
  sql`exists (select from posts rp where rp.id = ${post} and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('rp'), lock)})`
/** A public post is anybody's; a group's post is its members'. */
const mayPostIn: Rule<'posts'> = (me, post, lock) =>
  and(eq(post.creator_id, me), or(isNull(post.group_id), memberOf(me, post.group_id, lock)))

export const accessRules: { [T in PolicyTable]: Rules<T> } = {
  users: {
    read: (me, user) => isVisible(me, user.id),
    create: deny,
    update: (me, user) => eq(user.id, me),
    updated: (me, user) => eq(user.id, me),
    delete: deny,
  },
  posts: {
    read: (me, post, lock) =>
      and(
        isPostSharedWith(me, post, lock),
        hasOpenAccount(post.creator_id),
        or(notBlocked(me, post.creator_id), adminSeesBlockedMember(me, post.creator_id, post.group_id, lock)),
      ),
    create: mayPostIn,
    /** What a moderator hid stays as it was decided about. */
    update: (me, post) => and(eq(post.creator_id, me), sql`${post.hidden_by} is distinct from 'moderator'`),
    updated: mayPostIn,
    delete: (me, post) => eq(post.creator_id, me),
  },
  post_likes: {
    /** Of a group's post its members see who likes it; its creator, after leaving the group, the own like alone. */
    read: (me, like, lock) =>
      sql`exists (select from posts lp where lp.id = ${like.post_id}
        and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('lp'), lock)}
        and (${like.user_id} = ${me} or (${seesLikers(me, columnExpressionsOf<'posts'>('lp'), lock)} and ${isVisible(me, like.user_id)})))`,
    create: (me, like, lock) => and(eq(like.user_id, me), readablePost(me, like.post_id, lock)),
    update: deny,
    updated: deny,
    delete: (me, like, lock) => and(eq(like.user_id, me), readablePost(me, like.post_id, lock)),
  },
  saves: {
    read: (me, save) => eq(save.user_id, me),
    create: (me, save, lock) => and(eq(save.user_id, me), readablePost(me, save.post_id, lock)),
    update: deny,
    updated: deny,
    delete: (me, save) => eq(save.user_id, me),
  },
  follows: {
    read: (me, follow) =>
      and(isVisible(me, follow.follower_id), isVisible(me, follow.following_id), seesFollow(me, follow)),
    /** Of a private account the database asks for an approval, under the lock of whoever switches it. */
    create: (me, follow) => and(eq(follow.follower_id, me), isVisible(me, follow.following_id)),
    update: deny,
    updated: deny,
    /** The follower unfollows; the followed removes a follower. */
    delete: (me, follow) => or(eq(follow.follower_id, me), eq(follow.following_id, me)),
  },
  follow_requests: {
    /** A declined one is to the asker what it was, for as long as asking anew reaches nobody. */
    read: (me, request) =>
      or(
        and(
          eq(request.asker_id, me),
          not(sql`${request.withdrawn}`),
          sql`(${request.decided_at} is null or ${request.decided_at} > clock_timestamp() - interval '30 days')`,
          isVisible(me, request.asked_id),
        ),
        and(eq(request.asked_id, me), sql`${request.status} = 'pending'`, isVisible(me, request.asker_id)),
      ),
    create: (me, request) =>
      and(
        eq(request.asker_id, me),
        isVisible(me, request.asked_id),
        isPrivateAccount(request.asked_id),
        not(follows(me, request.asked_id)),
      ),
    /** Approves or declines. */
    update: (me, request) =>
      and(eq(request.asked_id, me), sql`${request.status} = 'pending'`, isVisible(me, request.asker_id)),
    updated: (me, request) => eq(request.asked_id, me),
    delete: (me, request) => eq(request.asker_id, me),
  },
  groups: {
    /**
     * Its summary: what it holds is behind the rules of posts and members. Its admin's account is closed only where
     * nobody else was left in it. One that a moderator hid is its members' alone.
     */
    read: (me, group, lock) =>
      and(hasOpenAccount(group.admin_id), or(isNull(group.hidden_at), memberOf(me, group.id, lock))),
    create: (me, group) => eq(group.admin_id, me),
    update: (me, group) => eq(group.admin_id, me),
    /** Handed over to a member alone, by one who stays a member. */
    updated: (me, group, lock) => and(memberOf(me, group.id, lock), memberOf(group.admin_id, group.id, lock)),
    delete: (me, group) => eq(group.admin_id, me),
  },
  group_members: {
    read: (me, member, lock) =>
      and(
        or(eq(member.user_id, me), memberOf(me, member.group_id, lock)),
        hasOpenAccount(member.user_id),
        or(notBlocked(me, member.user_id), adminSeesBlockedMember(me, member.user_id, member.group_id, lock)),
      ),
    create: deny,
    update: deny,
    updated: deny,
    delete: (me, member, lock) => or(eq(member.user_id, me), adminOf(me, member.group_id, lock)),
  },
  group_requests: {
    read: (me, request, lock) =>
      and(or(eq(request.user_id, me), adminOf(me, request.group_id, lock)), isVisible(me, request.user_id)),
    create: (me, request) => eq(request.user_id, me),
    update: (me, request, lock) => and(adminOf(me, request.group_id, lock), isVisible(me, request.user_id)),
    updated: (me, request, lock) => adminOf(me, request.group_id, lock),
    delete: (me, request) => eq(request.user_id, me),
  },
  conversations: {
    /** Also with somebody who is gone: what was written is the other's too. */
    read: (me, talk) => or(eq(talk.low_id, me), eq(talk.high_id, me)),
    create: (me, talk) =>
      and(
        or(eq(talk.low_id, me), eq(talk.high_id, me)),
        isVisible(me, talk.low_id),
        isVisible(me, talk.high_id),
        mayStartOrContinueConversation(me, talk),
      ),
    update: (me, talk) => or(eq(talk.low_id, me), eq(talk.high_id, me)),
    updated: (me, talk) => or(eq(talk.low_id, me), eq(talk.high_id, me)),
    delete: deny,
  },
  messages: {
    read: (me, message) => participantOf(me, message.conversation_id),
    /** Whether a first message is let in, and how many before an answer, the database decides, under the lock of the recipient. */
    create: (me, message) => and(eq(message.sender_id, me), mayWriteIn(me, message.conversation_id)),
    /** Its one change, being read, is a mark on the conversation. */
    update: deny,
    updated: deny,
    delete: deny,
  },
  files: {
    /**
     * Profile and group pictures are every member's; each photo of a post is as private as the post; the rest is its owner's.
     */
    read: (me, file, lock) =>
      or(
        eq(file.owner_id, me),
        and(sql`${file.state} = 'attached'`, sql`${file.purpose} = 'user'`, isVisible(me, file.owner_id)),
        and(
          sql`${file.state} = 'attached'`,
          sql`${file.purpose} = 'group'`,
          sql`not exists (select from groups fg where fg.image_id = ${file.id} and fg.hidden_at is not null
            and not ${memberOf(me, sql.ref('fg.id'), lock)})`,
        ),
        sql`exists (select from posts fp
          where fp.id = coalesce((select cp.id from posts cp where cp.image_id = ${file.id}),
            (select pp.post_id from post_photos pp where pp.file_id = ${file.id}))
          and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('fp'), lock)})`,
      ),
    create: (me, file) => eq(file.owner_id, me),
    update: (me, file) => eq(file.owner_id, me),
    updated: (me, file) => eq(file.owner_id, me),
    delete: (me, file) => eq(file.owner_id, me),
  },
  blocks: {
    /** The blocked member reads nothing of it, not even that it is there. */
    read: (me, block) => eq(block.blocker_id, me),
    create: (me, block) => eq(block.blocker_id, me),
    update: (me, block) => eq(block.blocker_id, me),
    updated: (me, block) => eq(block.blocker_id, me),
    delete: (me, block) => eq(block.blocker_id, me),
  },
  moderation_cases: {
    /**
     * Not one that the moderator is part of: about oneself, reported by oneself, in a group one administers, or about somebody one
     * has blocked. A block by whom it is about keeps nobody away.
     */
    read: (me, given) =>
      and(
        sql`exists (select from moderators mo where mo.member_id = ${me})`,
        sql`${given.desk} = 'moderators'`,
        sql`${given.about_id} is distinct from ${me}`,
        sql`not exists (select from reports mine where mine.case_id = ${given.id} and mine.reporter_id = ${me})`,
        sql`not exists (select from groups own where own.id = ${given.group_id} and own.admin_id = ${me})`,
        sql`not exists (select from blocks ob where ob.blocker_id = ${me} and ob.blocked_id = ${given.about_id})`,
      ),
    create: deny,
    update: (me, given, lock) => accessRules.moderation_cases.read(me, given, lock),
    updated: deny,
    delete: deny,
  },
  moderation_notices: {
    read: (me, notice) => eq(notice.member_id, me),
    create: deny,
    update: (me, notice) => eq(notice.member_id, me),
    updated: (me, notice) => eq(notice.member_id, me),
    delete: deny,
  },
  reports: {
    /** To everybody else it is a report, without who made it. */
    read: (me, report) => eq(report.reporter_id, me),
    create: (me, report) => eq(report.reporter_id, me),
    update: deny,
    updated: deny,
    delete: deny,
  },
}

/**
 * What stands in the way of an action that its rule permits: a state of the row in which nobody does it, and the refusal
 * that says so.
 */
export const actionConflicts: {
  [T in PolicyTable]?: Partial<
    Record<AccessRuleAction, { error: ErrorType; when: (row: ColumnExpressions<T>) => SqlCondition }>
  >
} = {
  group_members: {
    delete: { error: 'group_admin_cannot_leave', when: (member) => not(isPlainMember(member)) },
  },
  group_requests: {
    update: { error: 'group_request_processed', when: (request) => not(isPendingJoinRequest(request)) },
    delete: { error: 'group_request_processed', when: (request) => not(isPendingJoinRequest(request)) },
  },
}
