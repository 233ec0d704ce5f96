import { type Expression, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import {
  adminSeesBlockedMember,
  allowsTaggingInPhotos,
  follows,
  hasOpenAccount,
  isConversationParticipant,
  isGroupAdmin,
  isGroupMember,
  isGroupNotWithoutSuccessor,
  isGroupOfPostNotDeleted,
  isMemberVisible,
  isNonAdminMember,
  isPendingJoinRequest,
  isPostSharedWith,
  isPrivateAccount,
  mayReactToMessage,
  maySeeFollow,
  maySeeLikers,
  maySeePhoto,
  mayStartOrContinueConversation,
  mayWithdrawReaction,
  mayWriteInConversation,
  notBlocked,
} from './relationships.ts'
import {
  type AccessRuleAction,
  and,
  type ColumnExpressions,
  columnExpressionsOf,
  deny,
  eq,
  isNull,
  type MemberKeyExpression,
  noLock,
  not,
  or,
  type PolicyTable,
  type RowLockSql,
  type Rule,
  type Rules,
  replaceColumns,
  type SqlCondition,
} from './rule.ts'

export const mayReadPost = (
  me: MemberKeyExpression,
  post: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from posts rp where rp.id = ${post} and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('rp'), lock)})`

/**
 * The rule for likes in a statement that already reads the post, because looking the post up again takes
 * longer.
 */
export const mayLikePost: Rule<'posts'> = (me, post, lock) => accessRules.posts.read(me, post, lock)

const ownLikeOf: Rule<'post_likes'> = (me, like, lock) =>
  and(
    eq(like.user_id, me),
    sql`exists (select from posts kp where kp.id = ${like.post_id} and ${mayLikePost(me, columnExpressionsOf<'posts'>('kp'), lock)})`,
  )

/**
 * The read rule of posts without its condition about withheld photos. It decides whether others may see
 * `member` in connection with the post. With the condition, only the person who asked to hide the photo would
 * remain visible there, and the author could identify that person.
 */
export const mayReadPostEvenIfWithheld = (
  member: MemberKeyExpression,
  post: ColumnExpressions<'posts'>,
  lock: RowLockSql,
): SqlCondition =>
  accessRules.posts.read(member, replaceColumns<'posts'>(post, { withheld_by: sql`null::bigint` }), lock)
const readableComment = (
  me: MemberKeyExpression,
  comment: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from comments rc where rc.id = ${comment} and rc.removed_at is null
    and ${accessRules.comments.read(me, columnExpressionsOf<'comments'>('rc'), lock)})`
/**
 * The setting `nobody` also excludes the author. An author who left the group cannot comment on its posts.
 */
export const mayCommentOnPost = (
  me: MemberKeyExpression,
  post: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from posts ap where ap.id = ${post} and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('ap'), lock)}
    and (ap.group_id is null or ${isGroupMember(me, sql.ref('ap.group_id'), lock)})
    and (ap.comments_from = 'everyone' or ap.comments_from = 'followed'
      and (ap.creator_id = ${me} or ${follows(sql.ref('ap.creator_id'), me, lock)}))${lock})`
const createdPost = (me: MemberKeyExpression, post: Expression<unknown>): SqlCondition =>
  sql`exists (select from posts op where op.id = ${post} and op.creator_id = ${me}
    and ${isGroupOfPostNotDeleted(columnExpressionsOf<'posts'>('op'))})`
const readablePhoto = (
  me: MemberKeyExpression,
  post: Expression<unknown>,
  file: Expression<unknown>,
  lock: RowLockSql,
): SqlCondition =>
  sql`exists (select from posts sp where sp.id = ${post} and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('sp'), lock)}
    and (sp.image_id = ${file} or exists (select from post_photos op where op.post_id = sp.id and op.file_id = ${file}
      and ${maySeePhoto(me, sql.ref('op.withheld_by'), sql.ref('sp.creator_id'))})))`
const memberIn = (column: Expression<unknown>): MemberKeyExpression => sql<number>`${column}`
export const mayPublishPost: Rule<'posts'> = (me, post, lock) =>
  and(eq(post.creator_id, me), or(isNull(post.group_id), isGroupMember(me, post.group_id, lock)))

/**
 * Excludes cases about `me`, reported by `me`, in a group of `me`, or about somebody `me` blocked.
 * A block by the affected member excludes nobody.
 */
export const hasNoInterestInCase = (
  me: MemberKeyExpression,
  given: ColumnExpressions<'moderation_cases'>,
): SqlCondition =>
  and(
    sql`${given.about_id} is distinct from ${me}`,
    sql`not exists (select from reports mine where mine.case_id = ${given.id} and mine.reporter_id = ${me})`,
    sql`not exists (select from groups own where own.id = ${given.group_id} and own.admin_id = ${me})`,
    sql`not exists (select from blocks ob where ob.blocker_id = ${me} and ob.blocked_id = ${given.about_id})`,
  )

export const accessRules: { [T in PolicyTable]: Rules<T> } = {
  users: {
    read: (me, user) => isMemberVisible(me, user.id),
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
    create: mayPublishPost,
    update: (me, post) => and(eq(post.creator_id, me), sql`${post.hidden_by} is distinct from 'moderator'`),
    updated: mayPublishPost,
    delete: (me, post) => eq(post.creator_id, me),
  },
  post_likes: {
    /** An author who left the group sees only their own like. */
    read: (me, like, lock) =>
      sql`exists (select from posts lp where lp.id = ${like.post_id}
        and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('lp'), lock)}
        and (${like.user_id} = ${me} or (${maySeeLikers(me, columnExpressionsOf<'posts'>('lp'), lock)} and ${isMemberVisible(me, like.user_id)})))`,
    create: ownLikeOf,
    update: deny,
    updated: deny,
    delete: ownLikeOf,
  },
  post_edits: {
    read: (me, edit) => createdPost(me, edit.post_id),
    create: deny,
    update: deny,
    updated: deny,
    delete: deny,
  },
  comments: {
    read: (me, comment, lock) =>
      and(mayReadPost(me, comment.post_id, lock), isMemberVisible(me, comment.author_id)),
    create: (me, comment, lock) =>
      and(eq(comment.author_id, me), mayCommentOnPost(me, comment.post_id, lock)),
    /**
     * An edit sends new text to an author who may no longer want comments by `me`. An edit does not lock the
     * post.
     */
    update: (me, comment, lock) =>
      and(
        eq(comment.author_id, me),
        isNull(comment.removed_at),
        mayCommentOnPost(me, comment.post_id, noLock),
        sql`exists (select from posts up where up.id = ${comment.post_id}
          and (up.group_id is null or ${isGroupMember(me, sql.ref('up.group_id'), lock)}))`,
      ),
    updated: (me, comment) => eq(comment.author_id, me),
    /**
     * A post's author can also delete tombstones: to the author, comments by hidden members look like them.
     */
    delete: (me, comment) =>
      or(and(isNull(comment.removed_at), eq(comment.author_id, me)), createdPost(me, comment.post_id)),
  },
  comment_likes: {
    read: (me, like, lock) =>
      and(readableComment(me, like.comment_id, lock), isMemberVisible(me, like.user_id)),
    create: (me, like, lock) => and(eq(like.user_id, me), readableComment(me, like.comment_id, lock)),
    update: deny,
    updated: deny,
    delete: (me, like, lock) => and(eq(like.user_id, me), readableComment(me, like.comment_id, lock)),
  },
  post_people: {
    /**
     * In a group, only members read tags. Otherwise, former members would see who still belongs to the group.
     */
    read: (me, named, lock) =>
      or(
        eq(named.person_id, me),
        and(
          sql`${named.state} <> 'declined'`,
          or(sql`${named.state} = 'shown'`, createdPost(me, named.post_id)),
          isMemberVisible(me, named.person_id),
          readablePhoto(me, named.post_id, named.file_id, lock),
          sql`exists (select from posts vp where vp.id = ${named.post_id}
            and (vp.group_id is null or ${isGroupMember(me, sql.ref('vp.group_id'), lock)})
            and ${mayReadPostEvenIfWithheld(memberIn(named.person_id), columnExpressionsOf<'posts'>('vp'), lock)})`,
        ),
      ),
    /**
     * The tagged member must see the post and allow tags.
     * If all photos are withheld, nobody can be tagged, because only the person who hid the photos would
     * qualify.
     */
    create: (me, named, lock) =>
      and(
        sql`exists (select from posts np where np.id = ${named.post_id} and np.withheld_by is null
          and ${mayPublishPost(me, columnExpressionsOf<'posts'>('np'), lock)})`,
        sql`${named.state} = 'waiting'`,
        not(eq(named.person_id, me)),
        isMemberVisible(me, named.person_id),
        allowsTaggingInPhotos(me, named.person_id, lock),
        mayReadPost(memberIn(named.person_id), named.post_id, lock),
      ),
    /** A declined tag stays declined. */
    update: (me, named) => eq(named.person_id, me),
    updated: (me, named) => eq(named.person_id, me),
    delete: (me, named) => and(createdPost(me, named.post_id), sql`${named.state} <> 'declined'`),
  },
  saves: {
    read: (me, save) => eq(save.user_id, me),
    create: (me, save, lock) => and(eq(save.user_id, me), mayReadPost(me, save.post_id, lock)),
    update: deny,
    updated: deny,
    delete: (me, save) => eq(save.user_id, me),
  },
  follows: {
    read: (me, follow) =>
      and(
        isMemberVisible(me, follow.follower_id),
        isMemberVisible(me, follow.following_id),
        maySeeFollow(me, follow),
      ),
    /** For a private account, the database requires an approved request and locks the privacy setting. */
    create: (me, follow) => and(eq(follow.follower_id, me), isMemberVisible(me, follow.following_id)),
    update: deny,
    updated: deny,
    delete: (me, follow) => or(eq(follow.follower_id, me), eq(follow.following_id, me)),
  },
  follow_requests: {
    /** The requester sees a declined request as pending while asking again has no effect. */
    read: (me, request) =>
      or(
        and(
          eq(request.asker_id, me),
          not(sql`${request.withdrawn}`),
          sql`(${request.decided_at} is null or ${request.decided_at} > clock_timestamp() - interval '30 days')`,
          isMemberVisible(me, request.asked_id),
        ),
        and(
          eq(request.asked_id, me),
          sql`${request.status} = 'pending'`,
          isMemberVisible(me, request.asker_id),
        ),
      ),
    create: (me, request) =>
      and(
        eq(request.asker_id, me),
        isMemberVisible(me, request.asked_id),
        isPrivateAccount(request.asked_id),
        not(follows(me, request.asked_id)),
      ),
    update: (me, request) =>
      and(
        eq(request.asked_id, me),
        sql`${request.status} = 'pending'`,
        isMemberVisible(me, request.asker_id),
      ),
    updated: (me, request) => eq(request.asked_id, me),
    delete: (me, request) => eq(request.asker_id, me),
  },
  groups: {
    /** The admin's account can be closed only while no successor exists. */
    read: (me, group, lock) =>
      and(hasOpenAccount(group.admin_id), or(isNull(group.hidden_at), isGroupMember(me, group.id, lock))),
    create: (me, group) => eq(group.admin_id, me),
    update: (me, group) => eq(group.admin_id, me),
    /** The new admin must be a member, and the former admin must stay one. */
    updated: (me, group, lock) =>
      and(isGroupMember(me, group.id, lock), isGroupMember(group.admin_id, group.id, lock)),
    delete: (me, group) => eq(group.admin_id, me),
  },
  group_members: {
    read: (me, member, lock) =>
      and(
        or(
          and(eq(member.user_id, me), isGroupNotWithoutSuccessor(member.group_id)),
          isGroupMember(me, member.group_id, lock),
        ),
        hasOpenAccount(member.user_id),
        or(notBlocked(me, member.user_id), adminSeesBlockedMember(me, member.user_id, member.group_id, lock)),
      ),
    create: deny,
    update: deny,
    updated: deny,
    delete: (me, member, lock) => or(eq(member.user_id, me), isGroupAdmin(me, member.group_id, lock)),
  },
  group_requests: {
    read: (me, request, lock) =>
      and(
        or(eq(request.user_id, me), isGroupAdmin(me, request.group_id, lock)),
        isMemberVisible(me, request.user_id),
      ),
    create: (me, request) => eq(request.user_id, me),
    update: (me, request, lock) =>
      and(isGroupAdmin(me, request.group_id, lock), isMemberVisible(me, request.user_id)),
    updated: (me, request, lock) => isGroupAdmin(me, request.group_id, lock),
    delete: (me, request) => eq(request.user_id, me),
  },
  conversations: {
    /** A conversation outlives the other participant's account, because its messages belong to both. */
    read: (me, conversation) => or(eq(conversation.low_id, me), eq(conversation.high_id, me)),
    create: (me, conversation) =>
      and(
        or(eq(conversation.low_id, me), eq(conversation.high_id, me)),
        isMemberVisible(me, conversation.low_id),
        isMemberVisible(me, conversation.high_id),
        mayStartOrContinueConversation(me, conversation),
      ),
    update: (me, conversation) => or(eq(conversation.low_id, me), eq(conversation.high_id, me)),
    updated: (me, conversation) => or(eq(conversation.low_id, me), eq(conversation.high_id, me)),
    delete: deny,
  },
  messages: {
    read: (me, message) => isConversationParticipant(me, message.conversation_id),
    /** The database locks the recipient and limits first messages and messages before an answer. */
    create: (me, message, lock) =>
      and(
        eq(message.sender_id, me),
        mayWriteInConversation(me, message.conversation_id),
        or(isNull(message.shared_post_id), mayReadPost(me, message.shared_post_id, lock)),
      ),
    /** Unsending a message is its only update. */
    update: (me, message) =>
      and(eq(message.sender_id, me), mayWriteInConversation(me, message.conversation_id)),
    updated: (me, message) => and(eq(message.sender_id, me), not(isNull(message.unsent_at))),
    delete: deny,
  },
  message_reactions: {
    read: (me, reaction) =>
      sql`exists (select from messages rm where rm.id = ${reaction.message_id} and ${isConversationParticipant(me, sql.ref('rm.conversation_id'))})`,
    create: (me, reaction) => and(eq(reaction.user_id, me), mayReactToMessage(me, reaction.message_id)),
    update: (me, reaction) => and(eq(reaction.user_id, me), mayReactToMessage(me, reaction.message_id)),
    updated: (me, reaction) => and(eq(reaction.user_id, me), mayReactToMessage(me, reaction.message_id)),
    delete: (me, reaction) => and(eq(reaction.user_id, me), mayWithdrawReaction(me, reaction.message_id)),
  },
  files: {
    /** Only the photo's author and the person who hid it see it while it is withheld. */
    read: (me, file, lock) =>
      or(
        eq(file.owner_id, me),
        and(
          sql`${file.state} = 'attached'`,
          sql`${file.purpose} = 'user'`,
          isMemberVisible(me, file.owner_id),
        ),
        and(
          sql`${file.state} = 'attached'`,
          sql`${file.purpose} = 'group'`,
          sql`not exists (select from groups fg where fg.image_id = ${file.id}
            and not ${accessRules.groups.read(me, columnExpressionsOf<'groups'>('fg'), lock)})`,
        ),
        sql`exists (select from posts fp
          where fp.id = coalesce((select cp.id from posts cp where cp.image_id = ${file.id}),
            (select pp.post_id from post_photos pp where pp.file_id = ${file.id}
              and ${maySeePhoto(me, sql.ref('pp.withheld_by'), file.owner_id)}))
          and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('fp'), lock)})`,
        sql`exists (select from message_photos mp join messages pm on pm.id = mp.message_id
          where mp.file_id = ${file.id} and ${isConversationParticipant(me, sql.ref('pm.conversation_id'))})`,
      ),
    create: (me, file) => eq(file.owner_id, me),
    update: (me, file) => eq(file.owner_id, me),
    updated: (me, file) => eq(file.owner_id, me),
    delete: (me, file) => eq(file.owner_id, me),
  },
  blocks: {
    read: (me, block) => eq(block.blocker_id, me),
    create: (me, block) => eq(block.blocker_id, me),
    update: (me, block) => eq(block.blocker_id, me),
    updated: (me, block) => eq(block.blocker_id, me),
    delete: (me, block) => eq(block.blocker_id, me),
  },
  moderation_cases: {
    read: (me, given) =>
      and(
        sql`exists (select from moderators mo where mo.member_id = ${me})`,
        sql`${given.desk} = 'moderators'`,
        hasNoInterestInCase(me, given),
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
    read: (me, report) => eq(report.reporter_id, me),
    create: (me, report) => eq(report.reporter_id, me),
    update: deny,
    updated: deny,
    delete: deny,
  },
}

/** Members can always withdraw their own content. */
export const actionsAllowedOnInvisibleRows: { [T in PolicyTable]?: readonly AccessRuleAction[] } = {
  comments: ['delete'],
}

/** A refusal would distinguish tombstones from rows that are not visible. */
export const actionsNotFoundOnTombstones: {
  [T in PolicyTable]?: Partial<Record<AccessRuleAction, (row: ColumnExpressions<T>) => SqlCondition>>
} = {
  comments: { update: ({ removed_at }) => not(isNull(removed_at)) },
}

/** The error for each state of a row that prevents a permitted action. */
export const actionConflicts: {
  [T in PolicyTable]?: Partial<
    Record<AccessRuleAction, { error: ErrorType; when: (row: ColumnExpressions<T>) => SqlCondition }>
  >
} = {
  comments: {
    update: {
      error: 'comment_too_old',
      when: ({ created_at }) => sql`${created_at} <= clock_timestamp() - interval '15 minutes'`,
    },
  },
  messages: {
    /** After a day a message can no longer be unsent, because recipients rely on it. */
    update: {
      error: 'message_too_old',
      when: (message) =>
        and(isNull(message.unsent_at), sql`${message.created_at} <= clock_timestamp() - interval '24 hours'`),
    },
  },
  group_members: {
    delete: { error: 'group_admin_cannot_leave', when: (member) => not(isNonAdminMember(member)) },
  },
  group_requests: {
    update: { error: 'group_request_processed', when: (request) => not(isPendingJoinRequest(request)) },
    delete: { error: 'group_request_processed', when: (request) => not(isPendingJoinRequest(request)) },
  },
}
