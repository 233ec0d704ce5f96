/**
 * Who may do what: every permission rule of Juntas, on this page.
 *
 * A rule is a condition over two SQL expressions: `me`, the caller, and `row`, the row in question. Because both
 * are expressions, one rule filters lists (`selectReadableRows`), decides one record (`may`) and one write (`whereMemberMayWrite`), decides at
 * delivery who receives a change, and tells the screen what it may offer (`can`). A condition that comes out null means
 * refused, and a table without rules does not compile.
 *
 * The rules in words and as a table: docs/permissions.md. Whether two members see each other at all is `isVisible`, of which
 * blocks are a clause: it holds in lists, groups, chat, live updates and pictures alike.
 */
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { ErrorType } from '#contract/errors.ts'
import type { DatabaseTables } from './database/schema.ts'
import type { TableOf } from './database/table-names.ts'

/** The tables that are reached through a rule alone: those of the collections, and five that are none. */
export type PolicyTable =
  | TableOf<CollectionName>
  | 'files'
  | 'post_likes'
  | 'blocks'
  | 'follow_requests'
  | 'reports'
  | 'moderation_cases'

export type SqlCondition = RawBuilder<boolean>
export type MemberKeyExpression = Expression<number>
export type ColumnExpressions<T extends PolicyTable> = {
  readonly [Column in keyof DatabaseTables[T]]: Expression<unknown>
}

/** Ends a look-up: with `forShare` the row that grants a write stays until the commit. */
type Lock = RawBuilder<unknown>
const noLock: Lock = sql``
const shareLock: Lock = sql` for share`

type Rule<T extends PolicyTable> = (
  me: MemberKeyExpression,
  row: ColumnExpressions<T>,
  lock: Lock,
) => SqlCondition

type Rules<T extends PolicyTable> = {
  read: Rule<T>
  create: Rule<T>
  /** On the row as it stands. */
  update: Rule<T>
  /** On what the write would leave behind: else a post could be moved into a group its author is not in. */
  updated: Rule<T>
  delete: Rule<T>
}

export type AccessRuleAction = keyof Rules<PolicyTable>

/** Only the server writes it, as the effect of something else. */
const deny = () => sql<boolean>`false`
const eq = (left: Expression<unknown>, right: Expression<unknown>): SqlCondition => sql`${left} = ${right}`
const isNull = (value: Expression<unknown>): SqlCondition => sql`${value} is null`
const or = (...conditions: SqlCondition[]): SqlCondition => sql`(${sql.join(conditions, sql` or `)})`
const and = (...conditions: SqlCondition[]): SqlCondition => sql`(${sql.join(conditions, sql` and `)})`
const not = (condition: SqlCondition): SqlCondition => sql`not (${condition})`

/**
 * Tells whether a member's account is open. Closed accounts are few, so a statement reads them once instead of looking up each
 * member.
 */
export const hasOpenAccount = (member: Expression<unknown>): SqlCondition =>
  sql`${member} not in (select gone.id from users gone join accounts closed on closed.id = gone.account_id
    where closed.status = 'blocked')`

/**
 * Tells whether neither of two members has blocked the other, nor holds a block of somebody else's for one of them. With
 * `offset 0` each pair is looked up by its key; without, the planner reads all pairs of `me` into a hash (decision 0131).
 */
const notBlocked = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`not exists (select from block_pairs pair where pair.member_id = ${me} and pair.other_id = ${other} offset 0)`

/**
 * Tells whether `me` sees another member at all: neither one whose account is closed nor one behind a block. Both look alike
 * everywhere, so that a block tells nothing.
 */
const isVisible = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  and(hasOpenAccount(member), notBlocked(me, member))

/** Tells whether `me` blocked another member, or an account that the block also holds for. */
const hasBlocked = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`exists (select from block_pairs bp join blocks own on own.id = bp.block_id
    where bp.member_id = ${me} and bp.other_id = ${other} and own.blocker_id = ${me} offset 0)`

/** As `hasBlocked`, of a member who is there and has not blocked `me`: what becomes of that member is no secret from `me`. */
const hasBlockedAlone = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  and(
    hasBlocked(me, other),
    sql`not exists (select from block_pairs bp join blocks theirs on theirs.id = bp.block_id
      where bp.member_id = ${me} and bp.other_id = ${other} and theirs.blocker_id <> ${me} offset 0)`,
    hasOpenAccount(other),
  )

/** Tells whether `me` has restricted another member, whose messages wait among the requests and are read unnoticed. */
const hasRestricted = (me: MemberKeyExpression, other: Expression<unknown>): SqlCondition =>
  sql`exists (select from restrictions rs where rs.restricter_id = ${me} and rs.restricted_id = ${other} offset 0)`

/** Tells whether a group's admin sees a member whom the admin blocked, within that group: else nobody would keep order there. */
const keepsOrderOver = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  group: Expression<unknown>,
  lock: Lock,
): SqlCondition => and(adminOf(me, group, lock), hasBlockedAlone(me, member))

const otherThan = (me: MemberKeyExpression, talk: ColumnExpressions<'conversations'>): Expression<unknown> =>
  sql`case ${talk.low_id} when ${me} then ${talk.high_id} else ${talk.low_id} end`
const memberOf = (me: Expression<unknown>, group: Expression<unknown>, lock: Lock): SqlCondition =>
  sql`exists (select from group_members gm where gm.group_id = ${group} and gm.user_id = ${me}${lock})`
const adminOf = (me: MemberKeyExpression, group: Expression<unknown>, lock: Lock): SqlCondition =>
  sql`exists (select from groups ga where ga.id = ${group} and ga.admin_id = ${me}${lock})`
const participantOf = (me: MemberKeyExpression, conversation: Expression<unknown>): SqlCondition =>
  sql`exists (select from conversations cp where cp.id = ${conversation} and ${me} in (cp.low_id, cp.high_id))`
const mayWriteIn = (me: MemberKeyExpression, conversation: Expression<unknown>): SqlCondition =>
  sql`exists (select from conversations cw where cw.id = ${conversation} and ${me} in (cw.low_id, cw.high_id)
    and ${isVisible(me, sql.ref('cw.low_id'))} and ${isVisible(me, sql.ref('cw.high_id'))})`
/**
 * Tells whether `me` may begin to write to a member, as that member chose; who has to ask may too. What was begun goes on
 * whatever is chosen later.
 */
const takesNewMessages = (
  me: MemberKeyExpression,
  user: Pick<ColumnExpressions<'users'>, 'id' | 'messages_from'>,
): SqlCondition =>
  or(
    sql`${user.messages_from} in ('everyone', 'ask')`,
    and(sql`${user.messages_from} = 'followed'`, follows(user.id, me)),
  )
const mayBegin = (me: MemberKeyExpression, talk: ColumnExpressions<'conversations'>): SqlCondition =>
  or(
    not(isNull(talk.last_message_id)),
    sql`exists (select from users tu where tu.id = ${otherThan(me, talk)}
      and ${takesNewMessages(me, columnExpressionsOf<'users'>('tu'))} offset 0)`,
  )
/** Tells whether a conversation waits for `me` to answer, or goes on unnoticed: it is listed apart, and the read mark stands still. */
const isQuiet = (me: MemberKeyExpression, talk: ColumnExpressions<'conversations'>): SqlCondition =>
  or(sql`${talk.asked_id} is not distinct from ${me}`, hasRestricted(me, otherThan(me, talk)))
const readablePost = (me: MemberKeyExpression, post: Expression<unknown>, lock: Lock): SqlCondition =>
  sql`exists (select from posts rp where rp.id = ${post} and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('rp'), lock)})`
const isPending = (request: ColumnExpressions<'group_requests'>): SqlCondition =>
  sql`${request.status} = 'pending'`
const isPlainMember = (member: ColumnExpressions<'group_members'>): SqlCondition =>
  sql`${member.role} = 'member'`

/** One follow is looked up by its key, because of `offset 0`. */
const follows = (me: Expression<unknown>, followed: Expression<unknown>, lock: Lock = noLock): SqlCondition =>
  sql`exists (select from follows fw where fw.follower_id = ${me} and fw.following_id = ${followed} offset 0${lock})`
/** Tells whether `me` sees what a member shares with followers alone. */
const seesFollowersPosts = (
  me: MemberKeyExpression,
  author: Expression<unknown>,
  lock: Lock = noLock,
): SqlCondition => or(eq(author, me), follows(me, author, lock))
/** Tells whether `me` sees whom a member follows and is followed by. A private account's lists are never wider than followers. */
const seesFollowLists = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  or(
    eq(member, me),
    sql`exists (select from users lu where lu.id = ${member} and ((lu.lists_for = 'everyone' and not lu.is_private)
      or (lu.lists_for <> 'me' and ${follows(me, member)})) offset 0)`,
  )
/** A follow is its two members'; to others it shows as far as both of them let their lists be seen. */
const seesFollow = (
  me: MemberKeyExpression,
  follow: { follower_id: Expression<unknown>; following_id: Expression<unknown> },
): SqlCondition =>
  or(
    eq(follow.follower_id, me),
    eq(follow.following_id, me),
    and(seesFollowLists(me, follow.follower_id), seesFollowLists(me, follow.following_id)),
  )
/** How long what went out of sight can still be reported. */
const isRecent = (at: Expression<unknown>): SqlCondition => sql`${at} > clock_timestamp() - interval '7 days'`
/** As `isVisible`, now or within the last days: neither a block nor closing the account keeps a member from being reported at once. */
const wasVisible = (me: MemberKeyExpression, member: Expression<unknown>): SqlCondition =>
  and(
    sql`not exists (select from users gone join accounts closed on closed.id = gone.account_id
      where gone.id = ${member} and closed.status = 'blocked' and ${isRecent(sql.ref('closed.closed_at'))} is not true)`,
    sql`not exists (select from block_pairs lp join blocks made on made.id = lp.block_id
      where lp.member_id = ${me} and lp.other_id = ${member} and not ${isRecent(sql.ref('made.created_at'))})`,
  )
/** Tells whether everybody saw the post until its author's account became private within the last days. */
const wasPublic = (post: ColumnExpressions<'posts'>): SqlCondition =>
  sql`exists (select from users cu where cu.id = ${post.creator_id} and ${isRecent(sql.ref('cu.privatised_at'))}
    and ${post.created_at} < cu.privatised_at)`
const isPrivateAccount = (member: Expression<unknown>): SqlCondition =>
  sql`exists (select from users pu where pu.id = ${member} and pu.is_private offset 0)`

/**
 * A post outside groups is shared with everybody, or with followers; a group's with its members and with its creator after leaving.
 * A post deleted before there were posts for followers was everybody's.
 */
const sharesPost: Rule<'posts'> = (me, post, lock) =>
  or(
    and(
      isNull(post.group_id),
      or(sql`${post.followers_only} is not true`, seesFollowersPosts(me, post.creator_id, lock)),
    ),
    memberOf(me, post.group_id, lock),
    eq(post.creator_id, me),
  )

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
        sharesPost(me, post, lock),
        hasOpenAccount(post.creator_id),
        or(notBlocked(me, post.creator_id), keepsOrderOver(me, post.creator_id, post.group_id, lock)),
      ),
    create: mayPostIn,
    update: (me, post) => eq(post.creator_id, me),
    updated: mayPostIn,
    delete: (me, post) => eq(post.creator_id, me),
  },
  post_likes: {
    /** Of a group's post its members see who likes it; its creator, after leaving the group, the own like alone. */
    read: (me, like, lock) =>
      sql`exists (select from posts lp where lp.id = ${like.post_id}
        and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('lp'), lock)}
        and (${like.user_id} = ${me} or (${whereMayReadLikers(me, 'lp', lock)} and ${isVisible(me, like.user_id)})))`,
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
     * nobody else was left in it.
     */
    read: (_me, group) => hasOpenAccount(group.admin_id),
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
        or(notBlocked(me, member.user_id), keepsOrderOver(me, member.user_id, member.group_id, lock)),
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
        mayBegin(me, talk),
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
     * Profile and group pictures are every member's; a post's picture is as private as the post; the rest is its owner's.
     */
    read: (me, file, lock) =>
      or(
        eq(file.owner_id, me),
        and(sql`${file.state} = 'attached'`, sql`${file.purpose} = 'user'`, isVisible(me, file.owner_id)),
        and(sql`${file.state} = 'attached'`, sql`${file.purpose} = 'group'`),
        sql`exists (select from posts fp where fp.image_id = ${file.id}
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
const conflicts: {
  [T in PolicyTable]?: Partial<
    Record<AccessRuleAction, { error: ErrorType; when: (row: ColumnExpressions<T>) => SqlCondition }>
  >
} = {
  group_members: {
    delete: { error: 'group_admin_cannot_leave', when: (member) => not(isPlainMember(member)) },
  },
  group_requests: {
    update: { error: 'group_request_processed', when: (request) => not(isPending(request)) },
    delete: { error: 'group_request_processed', when: (request) => not(isPending(request)) },
  },
}

/** What a member may do beyond reading and writing one row, and what the screen offers: `can` in the answers. */
const abilities = {
  users: {
    block: (me, user) => not(eq(user.id, me)),
    /**
     * Also of a member who is out of sight, where the two have a conversation or `me` blocked that member before: who was
     * blocked first may block too, and learns nothing by it.
     */
    beBlocked: (me, user) =>
      or(
        isVisible(me, user.id),
        sql`exists (select from conversations bc
          where bc.low_id = least(${user.id}, ${me}) and bc.high_id = greatest(${user.id}, ${me}))`,
        sql`exists (select from blocks eb where eb.blocker_id = ${me} and eb.blocked_id = ${user.id})`,
      ),
    /** Is named by lists of members and searches. A profile is readable by its address all the same. */
    beFound: (me, user) => or(sql`${user.is_listed}`, eq(user.id, me)),
    /** Is one to whom `me` may write, of members in sight: by what that member chose, or because the two have written before. */
    beWrittenTo: (me, user) =>
      and(
        not(eq(user.id, me)),
        or(
          takesNewMessages(me, user),
          sql`exists (select from conversations wc where wc.low_id = least(${user.id}, ${me})
            and wc.high_id = greatest(${user.id}, ${me}) and wc.last_message_id is not null offset 0)`,
        ),
      ),
    seeFollowersPosts: (me, user) => seesFollowersPosts(me, user.id),
    seeFollowLists: (me, user) => seesFollowLists(me, user.id),
    report: (me, user) => and(not(eq(user.id, me)), wasVisible(me, user.id)),
    /** Learns what a blocked member does in groups both are in: how many there are, and who is in them. */
    observe: (me, user) => hasBlockedAlone(me, user.id),
  },
  conversations: {
    write: (me, talk) => and(isVisible(me, talk.low_id), isVisible(me, talk.high_id), mayBegin(me, talk)),
    /** Stands in the list and counts as unread: not for who blocked the other, and not among message requests. */
    list: (me, talk) => and(not(hasBlocked(me, otherThan(me, talk))), not(isQuiet(me, talk))),
    /** Stands among message requests: until it is declined, and with whom `me` restricted for as long as that lasts. */
    listAsRequest: (me, talk) =>
      and(
        not(hasBlocked(me, otherThan(me, talk))),
        or(
          and(sql`${talk.asked_id} is not distinct from ${me}`, isNull(talk.declined_at)),
          hasRestricted(me, otherThan(me, talk)),
        ),
      ),
    isRestricted: (me, talk) => hasRestricted(me, otherThan(me, talk)),
    /** Answers a request: accepts or declines. */
    answer: (me, talk) => eq(talk.asked_id, me),
    /** Is read unnoticed: the other's picture stays out of it too. */
    readQuietly: (me, talk) => isQuiet(me, talk),
    /**
     * Moves the mark. That of who blocked, was asked or has restricted stands still, because moving it would show that the
     * messages were read.
     */
    markRead: (me, talk) => and(not(hasBlocked(me, otherThan(me, talk))), not(isQuiet(me, talk))),
    block: (me, talk) =>
      sql`not exists (select from blocks ob where ob.blocker_id = ${me} and ob.blocked_id = ${otherThan(me, talk)})`,
  },
  posts: {
    /** Also what went out of sight in the last days by a block, a closed account or its becoming private. */
    report: (me, post, lock) =>
      and(
        not(eq(post.creator_id, me)),
        or(
          and(
            isNull(post.group_id),
            or(
              sql`not ${post.followers_only}`,
              // A block ends the follow and a closed account keeps it: of who is out of sight it must not be asked.
              and(follows(me, post.creator_id, lock), isVisible(me, post.creator_id)),
              wasPublic(post),
            ),
          ),
          memberOf(me, post.group_id, lock),
        ),
        wasVisible(me, post.creator_id),
      ),
    /** May learn that the post exists, and that reading it takes a membership. */
    joinToRead: (me, post) => and(not(isNull(post.group_id)), isVisible(me, post.creator_id)),
  },
  messages: {
    report: (me, message) => and(participantOf(me, message.conversation_id), not(eq(message.sender_id, me))),
  },
  groups: {
    report: (me, group, lock) => and(accessRules.groups.read(me, group, lock), not(eq(group.admin_id, me))),
    edit: (me, group, lock) => accessRules.groups.update(me, group, lock),
    delete: (me, group, lock) => accessRules.groups.delete(me, group, lock),
    /** Approves and rejects requests, removes members, hands the group over. */
    decide: (me, group) => eq(group.admin_id, me),
    leave: (me, group, lock) => and(memberOf(me, group.id, lock), not(eq(group.admin_id, me))),
    readPosts: (me, group, lock) => memberOf(me, group.id, lock),
    post: (me, group, lock) => memberOf(me, group.id, lock),
  },
  group_members: {
    remove: (me, member, lock) => and(isAnother(me, member), adminOf(me, member.group_id, lock)),
    handOver: (me, member, lock) => and(isAnother(me, member), adminOf(me, member.group_id, lock)),
    /** Old clients write the membership that the server made: the member's, and the admitting admin's. */
    confirm: (me, member, lock) => or(eq(member.user_id, me), adminOf(me, member.group_id, lock)),
  },
  group_requests: {
    decide: (me, request, lock) =>
      and(isPending(request), accessRules.group_requests.update(me, request, lock)),
    withdraw: (me, request, lock) =>
      and(isPending(request), accessRules.group_requests.delete(me, request, lock)),
  },
} as const satisfies { [T in PolicyTable]?: Record<string, Rule<T>> }

type Abilities = typeof abilities

const isAnother = (me: MemberKeyExpression, member: ColumnExpressions<'group_members'>): SqlCondition =>
  and(isPlainMember(member), not(eq(member.user_id, me)))

/** `row.caption` → `alias.caption`, for any alias of a guarded table. */
export function columnExpressionsOf<T extends PolicyTable>(alias: string): ColumnExpressions<T> {
  return new Proxy({} as ColumnExpressions<T>, { get: (_, column) => sql.ref(`${alias}.${String(column)}`) })
}

/** Passes the caller's key as a parameter. */
export const memberKeyParameter = (memberId: number): MemberKeyExpression => sql<number>`${memberId}::bigint`

/** The table already narrowed to what `me` may read: where every read starts. The alias is the table's name. */
export function selectReadableRows<T extends PolicyTable>(
  db: Kysely<DatabaseTables>,
  me: MemberKeyExpression,
  table: T,
): SelectQueryBuilder<DatabaseTables, T, Record<never, never>> {
  const narrowed = db.selectFrom(table as PolicyTable).where(whereMemberMayRead(me, table, table))
  return narrowed as unknown as SelectQueryBuilder<DatabaseTables, T, Record<never, never>>
}

/**
 * Who likes the post `alias`, beside the caller's own like: likes of a group's post name members, whom its creator no
 * longer sees after leaving.
 */
export const whereMayReadLikers = (me: MemberKeyExpression, alias: string, lock = noLock): SqlCondition => {
  const post = columnExpressionsOf<'posts'>(alias)
  return or(isNull(post.group_id), memberOf(me, post.group_id, lock))
}

/** One rule as a condition, for hand-written SQL over `alias`. */
export const whereAccessRuleAllows = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition => nullAsRefused(accessRules[table][action](me, columnExpressionsOf<T>(alias), noLock))

/** The read rule as a condition, bare, so that it can be a filter an index answers. */
export const whereMemberMayRead = <T extends PolicyTable>(
  me: MemberKeyExpression,
  table: T,
  alias: string,
): SqlCondition => accessRules[table].read(me, columnExpressionsOf<T>(alias), noLock)

/**
 * One rule as a condition over `alias`, for the statement that writes: the row that grants it is locked until the commit,
 * so that a membership cannot end between the decision and the write.
 */
export const whereMemberMayWrite = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition => nullAsRefused(accessRules[table][action](me, columnExpressionsOf<T>(alias), shareLock))

/**
 * The condition of standing in a list of posts that is no group's own, bare as `whereMemberMayRead`: not where only keeping order lets a
 * group's admin read the post.
 */
export const whereMayListPost = (me: MemberKeyExpression, alias: string): SqlCondition =>
  and(
    sharesPost(me, columnExpressionsOf<'posts'>(alias), noLock),
    wherePostCreatorOpenAndUnblocked(me, alias),
  )

/** One ability as a condition over `alias`. */
export const whereMemberHasAbility = <T extends keyof Abilities>(
  me: MemberKeyExpression,
  ability: keyof Abilities[T],
  table: T,
  alias: string,
): SqlCondition =>
  nullAsRefused((abilities[table][ability] as Rule<T>)(me, columnExpressionsOf<T>(alias), noLock))

/** The refusal of an action in the state the row over `alias` is in, as text, or null. */
export function selectActionConflictError<T extends PolicyTable>(
  action: AccessRuleAction,
  table: T,
  alias: string,
): RawBuilder<ErrorType | null> {
  const conflict = conflicts[table]?.[action]
  if (!conflict) return sql`null::text`
  return sql`case when ${conflict.when(columnExpressionsOf<T>(alias))} then ${conflict.error}::text end`
}

/** Takes null, which cannot be decided, as refused. */
const nullAsRefused = (condition: SqlCondition): SqlCondition => sql`coalesce(${condition}, false)`

/**
 * Keys that a statement may begin with because they are `me`'s own, each a sub-select with one column `id`: for walks
 * along an index that a rule asked of every row would keep the planner from. No follow crosses a block, which the database
 * holds, so blocks are not asked again for each.
 */
export const membersFollowedBy = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select fo.following_id as id from follows fo
    where fo.follower_id = ${me} and ${hasOpenAccount(sql.ref('fo.following_id'))})`

/**
 * Selects the participants who may hear of their conversation's changes: not one who blocked the other, because all that can
 * still change is how far the other has read.
 */
export const selectNotifiableParticipants = ({
  low_id,
  high_id,
}: ColumnExpressions<'conversations'>): RawBuilder<number[]> =>
  sql`array(select told.id from (values (${low_id}, ${high_id}), (${high_id}, ${low_id})) as told (id, other)
    where not ${hasBlocked(sql.ref('told.id'), sql.ref('told.other'))})`

/**
 * Tells whether `me` may hear that a row is gone, when no rule applies any more: not one about a member behind a block, who
 * would be seen to act, nor a post for followers of whom `me` is none, nor a follow of members whose lists are closed to `me`.
 * @param state as recorded with the change
 */
export const mayLearnOfDeletion = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition => {
  const key = (column: string) => sql`(${state} ->> ${sql.lit(column)})::bigint`
  return and(
    sql`not exists (select from block_pairs ep where ep.member_id = ${me}
      and ep.other_id in (select owner.id::bigint from jsonb_array_elements_text(${state} -> 'owner_ids') as owner (id)) offset 0)`,
    or(sql`${state} ->> 'followers_only' is distinct from 'true'`, seesFollowersPosts(me, key('creator_id'))),
    or(
      sql`${key('follower_id')} is null`,
      seesFollow(me, { follower_id: key('follower_id'), following_id: key('following_id') }),
    ),
  )
}

/**
 * Tells whether `me` may hear that a row has changed by what other members did with it, whom the change does not name: a like, a
 * membership. Not when each of them is behind a block: at that moment one of them would be seen to act.
 * @param state as recorded with the change; without such members everybody who reads the row hears of it
 */
export const mayLearnOfUpdate = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition =>
  or(
    sql`${state} -> 'caused_by' is null`,
    sql`exists (select from jsonb_array_elements_text(${state} -> 'caused_by') as cause (id)
      where ${notBlocked(me, sql`cause.id::bigint`)})`,
  )

/** Selects the groups `me` is in. @param by only memberships that existed at that time */
export const selectJoinedGroupKeys = (
  me: MemberKeyExpression,
  by?: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm
    where gm.user_id = ${me}${by ? sql` and gm.created_at <= ${by}` : sql``})`

export const groupsAdministeredBy = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select ga.id from groups ga where ga.admin_id = ${me})`

export const conversationsOf = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select c.id from conversations c where c.low_id = ${me} union all
    select c.id from conversations c where c.high_id = ${me})`

/**
 * The rest of the read rule for posts that are public, or found through `selectJoinedGroupKeys`. Blocked members are read once for the
 * whole statement, which walks hundreds of posts, instead of looking up each creator.
 */
export const wherePostCreatorOpenAndUnblocked = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { creator_id } = columnExpressionsOf<'posts'>(alias)
  return and(
    hasOpenAccount(creator_id),
    sql`${creator_id} not in (select pair.other_id from block_pairs pair where pair.member_id = ${me})`,
  )
}

/**
 * Tells whether `me` was in a group at a time: decides who receives a deletion, when the row is gone and no rule applies.
 */
export const whereWasGroupMember = (
  me: MemberKeyExpression,
  group: Expression<unknown>,
  by: Expression<unknown>,
): SqlCondition =>
  sql`exists (select from group_members gm
    where gm.group_id = ${group} and gm.user_id = ${me} and gm.created_at <= ${by})`

/** How many of a member's followers and followed have closed their accounts: `which` side the closed one stands on. */
export const selectClosedAccountFollowCount = (
  member: Expression<unknown>,
  which: 'follower_id' | 'following_id',
): RawBuilder<number> => {
  const own = which === 'follower_id' ? 'following_id' : 'follower_id'
  return sql`(select count(*)::int from accounts closed join users gone on gone.account_id = closed.id
    join follows cf on cf.${sql.ref(which)} = gone.id and cf.${sql.ref(own)} = ${member} where closed.status = 'blocked')`
}

/** Selects how many of the posts outside groups of the member `alias` (users) `me` may read, from the counts kept with the member. */
export const countReadablePublicPosts = (me: MemberKeyExpression, alias: string): RawBuilder<number> => {
  const { id, post_count, followers_post_count } = columnExpressionsOf<'users'>(alias)
  return sql`(${post_count} - case when ${seesFollowersPosts(me, id)} then 0 else ${followers_post_count} end)`
}
