/** Abilities are permissions beyond reading and writing one row. Screens offer them as `can`. */
import { type Expression, sql } from 'kysely'
import {
  accessRules,
  actionConflicts,
  hasNoInterestInCase,
  mayCommentOnPost,
  mayPublishPost,
  mayReadPost,
} from './access-rules.ts'
import { selectDeclinableHandover, selectDeclineSuccessor } from './group-successors.ts'
import { bothShowReadReceipts } from './read-receipts.ts'
import {
  acceptsNewConversationsFrom,
  follows,
  hadFollowed,
  hadJoined,
  hasBlocked,
  hasBlockedOneSidedly,
  hasOpenAccount,
  hasRestricted,
  isConversationParticipant,
  isGroupAdmin,
  isGroupMember,
  isListedAsMessageRequest,
  isMemberVisible,
  isNotWaitingForAnswer,
  isOtherNonAdminMember,
  isPendingJoinRequest,
  isWithinReportPeriod,
  mayGroupAdminReviewReportsAbout,
  maySeeFollowersOnlyPosts,
  maySeeFollowLists,
  mayStartOrContinueConversation,
  otherParticipantOf,
  selectWhenPostBecameHidden,
  wasGroupMember,
  wasPublicUntilRecently,
  wasVisibleUntilRecently,
} from './relationships.ts'
import {
  and,
  type ColumnExpressions,
  columnExpressionsOf,
  eq,
  isNull,
  type MemberKeyExpression,
  not,
  or,
  type PolicyTable,
  type Rule,
  type SqlCondition,
} from './rule.ts'

/** Decisions of a group's admin cannot be reviewed. */
const beReviewed: Rule<'moderation_cases'> = (me, given) =>
  and(
    eq(given.about_id, me),
    sql`${given.desk} = 'moderators'`,
    sql`${given.decision} in ('hide', 'warn', 'suspend')`,
  )

/**
 * Includes posts that were hidden from `me` in the last days. Members who joined or followed later could
 * never read them.
 */
const wasPostReadableUntilRecently: Rule<'posts'> = (me, post, lock) => {
  const gone = sql`coalesce(${selectWhenPostBecameHidden(me, post)}, 'infinity')`
  return or(
    accessRules.posts.read(me, post, lock),
    and(
      isWithinReportPeriod(gone),
      or(
        and(
          isNull(post.group_id),
          // Once a group is deleted, only the author can read a post that was hidden in it.
          sql`${post.hidden_by} is distinct from 'author' and ${post.hidden_by} is distinct from 'group'`,
          or(
            and(sql`not ${post.followers_only}`, hadJoined(me, gone)),
            // A block ends the follow, but closing an account does not.
            and(hadFollowed(me, post.creator_id, gone), isMemberVisible(me, post.creator_id)),
            wasPublicUntilRecently(me, post, gone),
          ),
        ),
        wasGroupMember(me, post.group_id, gone),
      ),
    ),
  )
}

/** Newer members of the group may never have read the reported content. */
const wasInGroupWhenReported = (
  me: MemberKeyExpression,
  given: ColumnExpressions<'moderation_cases'>,
): SqlCondition =>
  sql`exists (select from reports kr left join evidence ke on ke.report_id = kr.id
    where kr.case_id = ${given.id} and ${wasGroupMember(me, given.group_id, sql`greatest(kr.created_at, ke.created_at)`)})`

const hasDecided = (
  moderator: MemberKeyExpression,
  given: ColumnExpressions<'moderation_cases'>,
): SqlCondition =>
  sql`(${given.decided_by} is not distinct from ${moderator} or exists (
    select from suspension_proposals dp where dp.case_id = ${given.id} and dp.proposed_by = ${moderator}))`

const hasRole = (member: Expression<number>): SqlCondition =>
  sql`(exists (select from moderators rm where rm.member_id = ${member})
    or exists (select from users ru join accounts ra on ra.id = ru.account_id
      where ru.id = ${member} and ra.labels @> array['operator']))`

/** The period for which a lost role, an appointment, a recovery link or a report still counts. */
const roleChangePeriod = sql`interval '30 days'`

/** Includes members who recently lost the role. */
const takesTwoToSuspend = (member: Expression<number>): SqlCondition =>
  sql`(${hasRole(member)} or exists (select from operator_acts lost
    where lost.about_id = ${member} and lost.act in ('moderator.remove', 'operator.remove')
      and lost.created_at > clock_timestamp() - ${roleChangePeriod}))`

/** Helpers are the operators who recently appointed the member or created a recovery link for them. */
const selectPersonAndHelpers = (member: Expression<unknown>): SqlCondition =>
  sql`select ${member}::bigint union all select helping.operator_id from operator_acts helping
    where helping.about_id = ${member} and helping.act in ('moderator.add', 'operator.add', 'member.recover')
      and helping.operator_id is not null and helping.created_at > clock_timestamp() - ${roleChangePeriod}`

/**
 * True if neither member helped the other to the role or into the account, and nobody helped both.
 * Help by the affected member does not count: an operator could otherwise exclude every moderator.
 */
const areIndependent = (
  one: Expression<unknown>,
  another: Expression<unknown>,
  about: Expression<unknown>,
): SqlCondition =>
  sql`not exists (((${selectPersonAndHelpers(one)}) intersect (${selectPersonAndHelpers(another)})) except select ${about}::bigint)`

/** Whether the person reported the affected member or something of theirs, in an open case or recently. */
const hasReportedMember = (person: Expression<unknown>, about: Expression<unknown>): SqlCondition =>
  sql`exists (select from reports hr join moderation_cases hc on hc.id = hr.case_id
    where hr.reporter_id = ${person} and hc.about_id = ${about}
      and (hc.status = 'open' or hr.created_at > clock_timestamp() - ${roleChangePeriod}))`

/** Also holds if the affected member ended the proposer's role after the proposal. */
const isProposerInOffice = (given: ColumnExpressions<'moderation_cases'>): SqlCondition =>
  sql`(${hasRole(sql.ref('sp.proposed_by'))} or ${given.about_id} = (
    select dismissal.operator_id from operator_acts dismissal where dismissal.about_id = sp.proposed_by
      and dismissal.act = 'moderator.remove' and dismissal.created_at >= sp.created_at
    order by dismissal.id desc limit 1))`

export const abilities = {
  users: {
    /** Excludes operators who blocked the member or have an interest in the open case about them. */
    suspend: (me, user) =>
      and(
        not(eq(user.id, me)),
        or(not(takesTwoToSuspend(user.id as Expression<number>)), not(hasReportedMember(me, user.id))),
        sql`not exists (select from blocks ob where ob.blocker_id = ${me} and ob.blocked_id = ${user.id})`,
        sql`not exists (select from moderation_cases oc where oc.kind = 'member' and oc.subject_id = ${user.public_id}
          and oc.desk = 'moderators' and oc.status = 'open'
          and not ${hasNoInterestInCase(me, columnExpressionsOf<'moderation_cases'>('oc'))})`,
      ),
    beSuspendedByOne: (_me, user) => not(takesTwoToSuspend(user.id as Expression<number>)),
    /** Moderators and operators get no recovery link, because one person could then act as both people. */
    beRecovered: (_me, user) => not(hasRole(user.id as Expression<number>)),
    block: (me, user) => not(eq(user.id, me)),
    /**
     * Hidden members can be blocked after a conversation or a block, so that a blocked member can block back
     * without learning of it.
     */
    beBlocked: (me, user) =>
      or(
        isMemberVisible(me, user.id),
        sql`exists (select from conversations bc
          where bc.low_id = least(${user.id}, ${me}) and bc.high_id = greatest(${user.id}, ${me})
            and bc.last_message_id is not null)`,
        sql`exists (select from blocks eb where eb.blocker_id = ${me} and eb.blocked_id = ${user.id})`,
      ),
    /** Everyone can still read an unlisted profile by its URL. */
    beFound: (me, user) => or(sql`${user.is_listed}`, eq(user.id, me)),
    beWrittenTo: (me, user) =>
      and(
        not(eq(user.id, me)),
        or(
          acceptsNewConversationsFrom(me, user),
          sql`exists (select from conversations wc where wc.low_id = least(${user.id}, ${me})
            and wc.high_id = greatest(${user.id}, ${me}) and wc.last_message_id is not null offset 0)`,
        ),
      ),
    seeFollowersPosts: (me, user) => maySeeFollowersOnlyPosts(me, user.id),
    seeFollowLists: (me, user) => maySeeFollowLists(me, user.id),
    operateCommunity: (me, user) =>
      and(
        eq(user.id, me),
        sql`exists (select from accounts oa where oa.id = ${user.account_id} and oa.labels @> array['operator'])`,
      ),
    report: (me, user) => and(not(eq(user.id, me)), wasVisibleUntilRecently(me, user.id)),
    /** Allows seeing, in shared groups, the activity of members whom `me` blocked. */
    observe: (me, user) => hasBlockedOneSidedly(me, user.id),
  },
  conversations: {
    write: (me, conversation) =>
      and(
        isMemberVisible(me, conversation.low_id),
        isMemberVisible(me, conversation.high_id),
        mayStartOrContinueConversation(me, conversation),
      ),
    /** `me` must not learn that the other participant opened an empty conversation. */
    find: (me, conversation) =>
      or(
        not(isNull(conversation.last_message_id)),
        sql`case ${me} when ${conversation.low_id} then ${conversation.low_opened} else ${conversation.high_opened} end`,
      ),
    /** Also decides whether the conversation counts as unread. */
    list: (me, conversation) =>
      and(
        not(hasBlocked(me, otherParticipantOf(me, conversation))),
        not(isListedAsMessageRequest(me, conversation)),
      ),
    listAsRequest: (me, conversation) =>
      and(
        not(hasBlocked(me, otherParticipantOf(me, conversation))),
        or(
          and(sql`${conversation.asked_id} is not distinct from ${me}`, isNull(conversation.declined_at)),
          hasRestricted(me, otherParticipantOf(me, conversation)),
        ),
      ),
    isRestricted: (me, conversation) => hasRestricted(me, otherParticipantOf(me, conversation)),
    answer: (me, conversation) => eq(conversation.asked_id, me),
    /** Covers accepting message requests and unanswered first messages. */
    accept: (me, conversation) => or(eq(conversation.asked_id, me), eq(conversation.unanswered_by, me)),
    /** A stranger can send photos only after the recipient answered or accepted. */
    addPhotos: (me, conversation) =>
      and(
        or(isNull(conversation.asked_id), eq(conversation.asked_id, me)),
        isNotWaitingForAnswer(me, conversation),
        or(not(isNull(conversation.last_message_id)), follows(otherParticipantOf(me, conversation), me)),
      ),
    /** If true, reading sends no receipts, and the sender's picture is hidden. */
    readQuietly: (me, conversation) => isListedAsMessageRequest(me, conversation),
    /**
     * False if a moved mark would show a blocked, restricted or requesting sender that `me` read the
     * messages.
     */
    markRead: (me, conversation) =>
      and(
        not(hasBlocked(me, otherParticipantOf(me, conversation))),
        not(isListedAsMessageRequest(me, conversation)),
      ),
    showReadMarks: (_me, conversation) => bothShowReadReceipts(conversation),
    /** A stranger's indicator appears only after the recipient answered or accepted. */
    signalTyping: (me, conversation) =>
      and(
        isMemberVisible(me, conversation.low_id),
        isMemberVisible(me, conversation.high_id),
        not(isNull(conversation.last_message_id)),
        isNull(conversation.asked_id),
        isNotWaitingForAnswer(me, conversation),
        not(hasRestricted(me, otherParticipantOf(me, conversation))),
        sql`not exists (select from restrictions tr where tr.restricter_id = ${otherParticipantOf(me, conversation)}
          and tr.restricted_id = ${me} offset 0)`,
        sql`not exists (select from users tu where tu.id in (${conversation.low_id}, ${conversation.high_id}) and not tu.shows_typing offset 0)`,
      ),
    block: (me, conversation) =>
      sql`not exists (select from blocks ob where ob.blocker_id = ${me} and ob.blocked_id = ${otherParticipantOf(me, conversation)})`,
  },
  posts: {
    /**
     * A post stays reportable for some days after a block, a closed account, a privacy change or a moderator
     * hid it.
     */
    report: (me, post, lock) =>
      and(not(eq(post.creator_id, me)), wasPostReadableUntilRecently(me, post, lock)),
    comment: (me, post, lock) => mayCommentOnPost(me, post.id, lock),
    /** Whether `me` can tag people in the post's photos. */
    name: (me, post, lock) => and(mayPublishPost(me, post, lock), isNull(post.hidden_by)),
    /** Whether the author can move the post out of a group that they left. */
    takeAlong: (me, post, lock) =>
      and(
        eq(post.creator_id, me),
        not(isNull(post.group_id)),
        isNull(post.hidden_by),
        not(isGroupMember(me, post.group_id, lock)),
      ),
    /** The receipt says how many members the post was shared with and which metadata was removed. */
    seeReceipt: (me, post) => eq(post.creator_id, me),
    seeEdits: (me, post) => eq(post.creator_id, me),
    /** Whether `me` may learn that the post exists and that reading it requires a membership. */
    joinToRead: (me, post, lock) =>
      and(
        isNull(post.hidden_by),
        isNull(post.withheld_by),
        isMemberVisible(me, post.creator_id),
        sql`exists (select from groups jg where jg.id = ${post.group_id}
          and ${accessRules.groups.read(me, columnExpressionsOf<'groups'>('jg'), lock)})`,
      ),
  },
  post_people: {
    accept: (me, named, lock) =>
      and(eq(named.person_id, me), sql`${named.state} <> 'declined'`, mayReadPost(me, named.post_id, lock)),
  },
  comments: {
    edit: (me, comment, lock) =>
      and(
        accessRules.comments.update(me, comment, lock),
        not(sql`${actionConflicts.comments?.update?.when(comment) ?? sql`false`}`),
      ),
    /** A refusal would distinguish tombstones from comments by hidden members. */
    report: (me, comment, lock) =>
      and(
        not(eq(comment.author_id, me)),
        or(isNull(comment.removed_at), isWithinReportPeriod(comment.removed_at)),
        or(wasVisibleUntilRecently(me, comment.author_id), isWithinReportPeriod(comment.created_at)),
        sql`exists (select from posts tp where tp.id = ${comment.post_id}
          and (tp.creator_id = ${me} or ${wasPostReadableUntilRecently(me, columnExpressionsOf<'posts'>('tp'), lock)}))`,
      ),
  },
  moderation_cases: {
    /** The affected member learns the decision and its reason, unless the case was dismissed. */
    learn: (me, given) =>
      and(eq(given.about_id, me), sql`${given.status} = 'decided'`, sql`${given.decision} <> 'dismiss'`),
    beReviewed,
    appeal: (me, given, lock) =>
      and(
        beReviewed(me, given, lock),
        sql`not exists (select from appeals asked where asked.case_id = ${given.id})`,
      ),
    /** Moderators do not see a case that a group's admin decides. */
    decideForGroup: (me, given, lock) =>
      and(
        sql`${given.desk} = 'group'`,
        isGroupAdmin(me, given.group_id, lock),
        mayGroupAdminReviewReportsAbout(me, given.about_id),
        wasInGroupWhenReported(me, given),
      ),
    suspendAlone: (_me, given) =>
      sql`not exists (select from users su where su.id = ${given.about_id} and ${takesTwoToSuspend(sql.ref('su.id'))})`,
    /**
     * Excludes moderators who reported the accused in this or another case. Two people without a conflict of
     * interest must decide.
     */
    proposeSuspension: (me, given) => not(hasReportedMember(me, given.about_id)),
    /** The proposal must come from another, independent person. */
    confirmSuspension: (me, given) =>
      and(
        hasNoInterestInCase(me, given),
        sql`exists (select from suspension_proposals sp where sp.case_id = ${given.id} and sp.proposed_by <> ${me}
          and ${isProposerInOffice(given)} and ${hasOpenAccount(sql.ref('sp.proposed_by'))}
          and ${areIndependent(me, sql.ref('sp.proposed_by'), given.about_id)}
          and not ${hasReportedMember(sql.ref('sp.proposed_by'), given.about_id)})`,
        not(hasReportedMember(me, given.about_id)),
      ),
    /** Operators without an interest see the proposed suspension, but nothing else of the case. */
    seeProposal: (me, given) =>
      and(
        sql`${given.status} = 'open'`,
        not(isNull(given.about_id)),
        hasNoInterestInCase(me, given),
        sql`exists (select from users ou join accounts oa on oa.id = ou.account_id
          where ou.id = ${me} and oa.labels @> array['operator'])`,
      ),
    /** A moderator cannot review their own decision if another moderator can. */
    review: (me, given, lock) =>
      sql`(not ${hasDecided(me, given)} or not exists (
        select from moderators others where not ${hasDecided(sql.ref<number>('others.member_id'), given)}
          and ${hasOpenAccount(sql.ref('others.member_id'))}
          and ${accessRules.moderation_cases.read(sql.ref<number>('others.member_id'), given, lock)}))`,
  },
  messages: {
    report: (me, message) =>
      and(isConversationParticipant(me, message.conversation_id), not(eq(message.sender_id, me))),
  },
  groups: {
    report: (me, group, lock) => and(accessRules.groups.read(me, group, lock), not(eq(group.admin_id, me))),
    edit: (me, group, lock) => accessRules.groups.update(me, group, lock),
    delete: (me, group, lock) => accessRules.groups.delete(me, group, lock),
    /** Covers approving and rejecting requests, removing members and handing the group over. */
    decide: (me, group) => eq(group.admin_id, me),
    leave: (me, group, lock) => and(isGroupMember(me, group.id, lock), not(eq(group.admin_id, me))),
    decline: (me, group) =>
      and(
        eq(group.admin_id, me),
        sql`exists (select from (${selectDeclinableHandover(group.id, me)}) h,
          lateral (${selectDeclineSuccessor(group.id, me, 'h')}) successor)`,
      ),
    readPosts: (me, group, lock) => isGroupMember(me, group.id, lock),
    post: (me, group, lock) => isGroupMember(me, group.id, lock),
  },
  group_members: {
    remove: (me, member, lock) =>
      and(isOtherNonAdminMember(me, member), isGroupAdmin(me, member.group_id, lock)),
    handOver: (me, member, lock) =>
      and(
        isOtherNonAdminMember(me, member),
        isGroupAdmin(me, member.group_id, lock),
        isMemberVisible(me, member.user_id),
      ),
    /** Old clients write a membership that the server has already created. */
    confirm: (me, member, lock) => or(eq(member.user_id, me), isGroupAdmin(me, member.group_id, lock)),
  },
  group_requests: {
    decide: (me, request, lock) =>
      and(isPendingJoinRequest(request), accessRules.group_requests.update(me, request, lock)),
    withdraw: (me, request, lock) =>
      and(isPendingJoinRequest(request), accessRules.group_requests.delete(me, request, lock)),
  },
} as const satisfies { [T in PolicyTable]?: Record<string, Rule<T>> }
