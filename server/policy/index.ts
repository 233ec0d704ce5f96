/**
 * All permission rules: policy/ defines them, and statements use them from here.
 * A rule is a condition over two SQL expressions: `me`, the caller, and `row`. So one rule filters lists
 * (`selectReadableRows`), decides a record (`may`) or write (`whereMemberMayWrite`), selects a change's
 * recipients, and tells screens what to offer (`can`). Null means refused, and a table without rules does not
 * compile.
 * docs/permissions.md states the rules. `isMemberVisible` decides whether two members see each other
 * anywhere, including blocks.
 */
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { abilities } from './abilities.ts'
import {
  accessRules,
  actionConflicts,
  actionsAllowedOnInvisibleRows,
  actionsNotFoundOnTombstones,
} from './access-rules.ts'
import { maySeeReader } from './read-receipts.ts'
import {
  adminSeesBlockedMember,
  areAcquainted,
  hasBlocked,
  hasOpenAccount,
  isGroupMember,
  isGroupNotWithoutHeir,
  isPostSharedWith,
  mayReviewReportsAbout,
  maySeeFollow,
  maySeeFollowersOnlyPosts,
  maySeeLikers,
  maySeePhoto,
  notBlocked,
} from './relationships.ts'
import {
  type AccessRuleAction,
  and,
  type ColumnExpressions,
  columnExpressionsOf,
  eq,
  isNull,
  type MemberKeyExpression,
  noLock,
  not,
  nullAsFalse,
  or,
  type PolicyTable,
  type Rule,
  type SqlCondition,
  shareLock,
} from './rule.ts'

export { accessRules } from './access-rules.ts'
export {
  countListedReplies,
  countReadableComments,
  selectCommentsOutOfSight,
  whereCommentListed,
  whereCommentShown,
  whereMayBeMentioned,
  whereMayNameMember,
  whereMentionShown,
  whereRemovedCommentWasListed,
} from './comment-visibility.ts'
export {
  countAllMembersUpTo,
  countAudienceForPostReceipt,
  countFollowersAudience,
  countGroupAudience,
  estimateMemberCount,
  selectFollowersAudience,
  selectGroupAudience,
  selectListedAudience,
} from './post-audience.ts'
export { isPublicFile } from './public-files.ts'
export {
  hasOpenAccount,
  isGroupOfPostNotDeleted,
  isMemberVisible,
  isPrivateAccount,
  notBlocked,
  wasGroupMember as whereWasGroupMember,
} from './relationships.ts'
export {
  type AccessRuleAction,
  type ColumnExpressions,
  columnExpressionsOf,
  type MemberKeyExpression,
  type PolicyTable,
  type SqlCondition,
} from './rule.ts'

type Abilities = typeof abilities

/** Passes the caller's key as a parameter. */
export const memberKeyParameter = (memberId: number | Expression<number>): MemberKeyExpression =>
  sql<number>`${memberId}::bigint`

/** The table narrowed to what `me` may read, where every read starts. Its alias is the table's name. */
export function selectReadableRows<T extends PolicyTable>(
  db: Kysely<DatabaseTables>,
  me: MemberKeyExpression,
  table: T,
): SelectQueryBuilder<DatabaseTables, T, Record<never, never>> {
  const narrowed = db.selectFrom(table as PolicyTable).where(whereMemberMayRead(me, table, table))
  return narrowed as unknown as SelectQueryBuilder<DatabaseTables, T, Record<never, never>>
}

/** Whether `me` sees the post `alias`'s likers, beside their own like. */
export const whereMayReadLikers = (me: MemberKeyExpression, alias: string): SqlCondition =>
  maySeeLikers(me, columnExpressionsOf<'posts'>(alias), noLock)

/**
 * Whether `me` sees that a participant read a message.
 * @param reader a participant's key @param message its key @param talk the alias of its conversation
 */
export const whereMaySeeReader = (
  me: MemberKeyExpression,
  reader: Expression<unknown>,
  message: Expression<unknown>,
  conversation: string,
): SqlCondition => maySeeReader(me, reader, message, columnExpressionsOf<'conversations'>(conversation))

/** A rule as a condition, for hand-written SQL over `alias`. */
export const whereAccessRuleAllows = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition => nullAsFalse(accessRules[table][action](me, columnExpressionsOf<T>(alias), noLock))

/** The bare read rule, which an index can serve. */
export const whereMemberMayRead = <T extends PolicyTable>(
  me: MemberKeyExpression,
  table: T,
  alias: string,
): SqlCondition => accessRules[table].read(me, columnExpressionsOf<T>(alias), noLock)

/**
 * A rule for a writing statement over `alias`. Locks the granting row until the commit, so that a membership
 * cannot end between decision and write.
 */
export const whereMemberMayWrite = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition => nullAsFalse(accessRules[table][action](me, columnExpressionsOf<T>(alias), shareLock))

/**
 * Matches posts for lists outside their group: excludes posts readable only as a group's admin. Bare, like
 * `whereMemberMayRead`.
 */
export const whereMayListPost = (me: MemberKeyExpression, alias: string): SqlCondition =>
  and(
    isPostSharedWith(me, columnExpressionsOf<'posts'>(alias), noLock),
    wherePostCreatorOpenAndUnblocked(me, alias),
  )

/**
 * An ability as a condition over `alias`. @param lock holds its grant until the commit, for writing
 * statements
 */
export const whereMemberHasAbility = <T extends keyof Abilities>(
  me: MemberKeyExpression,
  ability: keyof Abilities[T],
  table: T,
  alias: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): SqlCondition =>
  nullAsFalse(
    (abilities[table][ability] as Rule<T>)(
      me,
      columnExpressionsOf<T>(alias),
      lock === 'locked' ? shareLock : noLock,
    ),
  )

/** The error for an action in the row's state, as text, or null. */
export function selectActionConflictError<T extends PolicyTable>(
  action: AccessRuleAction,
  table: T,
  alias: string,
): RawBuilder<ErrorType | null> {
  const conflict = actionConflicts[table]?.[action]
  if (!conflict) return sql`null::text`
  return sql`case when ${conflict.when(columnExpressionsOf<T>(alias))} then ${conflict.error}::text end`
}

/**
 * Matches rows whose existence the acting member may learn: readable ones and exceptions. Only chooses the
 * error and locks nothing.
 */
export function whereMayLearnRowExists<T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition {
  const isThere = actionsAllowedOnInvisibleRows[table]?.includes(action)
    ? or(whereAccessRuleAllows(me, action, table, alias), whereAccessRuleAllows(me, 'read', table, alias))
    : whereMemberMayWrite(me, 'read', table, alias)
  const remains = actionsNotFoundOnTombstones[table]?.[action]
  return remains ? and(not(remains(columnExpressionsOf<T>(alias))), isThere) : isThere
}

/**
 * Matches comments that are documents to `me`. Tombstones under an own post are not, because comments by
 * members not visible are not either; the product lists both.
 */
export const whereCommentShownAsDocument = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { post_id, removed_at } = columnExpressionsOf<'comments'>(alias)
  return or(
    isNull(removed_at),
    sql`not exists (select from posts dp where dp.id = ${post_id} and dp.creator_id = ${me})`,
  )
}

/**
 * `me`'s own keys, each a sub-select with column `id`, to start index walks that a per-row rule would
 * prevent. No follow crosses a block (the database ensures it), so blocks are not checked again.
 */
export const selectFollowedMemberKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select fo.following_id as id from follows fo
    where fo.follower_id = ${me} and ${hasOpenAccount(sql.ref('fo.following_id'))})`

/**
 * Selects participants to notify of conversation changes: not a blocker, because only the other's read
 * position can still change.
 */
export const selectNotifiableParticipants = ({
  low_id,
  high_id,
}: ColumnExpressions<'conversations'>): RawBuilder<number[]> =>
  sql`array(select told.id from (values (${low_id}, ${high_id}), (${high_id}, ${low_id})) as told (id, other)
    where not ${hasBlocked(sql.ref('told.id'), sql.ref('told.other'))})`

/**
 * Whether `me` may learn of a deletion, when rules no longer apply. Hides rows about blocked members,
 * followers-only posts, closed follow lists, hidden or withheld content, and comments under unreadable posts.
 * Of a closed account only its end is sent.
 * @param state as recorded with the change
 */
export const mayLearnOfDeletion = (
  me: MemberKeyExpression,
  collection: Expression<unknown>,
  state: Expression<unknown>,
): SqlCondition => {
  const key = (column: string) => sql`(${state} ->> ${sql.lit(column)})::bigint`
  return and(
    sql`not exists (select from block_pairs ep where ep.member_id = ${me}
      and ep.other_id in (select owner.id::bigint from jsonb_array_elements_text(${state} -> 'owner_ids') as owner (id)) offset 0)`,
    or(
      eq(collection, sql`'users'`),
      sql`not exists (select from jsonb_array_elements_text(${state} -> 'owner_ids') as owner (id)
        where not ${hasOpenAccount(sql`owner.id::bigint`)})`,
    ),
    or(
      sql`${state} ->> 'followers_only' is distinct from 'true'`,
      maySeeFollowersOnlyPosts(me, key('creator_id')),
    ),
    or(
      sql`${key('follower_id')} is null`,
      maySeeFollow(me, { follower_id: key('follower_id'), following_id: key('following_id') }),
    ),
    mayLearnOfHidden(me, state),
    or(sql`${state} ->> 'withheld_by' is null`, eq(key('withheld_by'), me), eq(key('creator_id'), me)),
    or(
      sql`${key('within_post')} is null`,
      sql`exists (select from posts wp where wp.id = ${key('within_post')}
        and ${accessRules.posts.read(me, columnExpressionsOf<'posts'>('wp'), noLock)})`,
    ),
  )
}

/**
 * Hidden rows: readers, author and admin learn of the end; others learn of the hiding. A deleted row's record
 * is complete, a hidden one's not.
 */
const mayLearnOfHidden = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition =>
  sql`case when ${state} ->> 'hidden_at' is null then true
    when ${state} -> 'owner_ids' is null then case when ${state} ? 'admin_id' then ${state} ->> 'admin_id' = ${me}::text
      else not ${isGroupMember(me, sql`(${state} ->> 'id')::bigint`, noLock)} end
    else (${state} -> 'owner_ids' @> to_jsonb(${me})) = (${state} ? 'caption') end`

/**
 * Whether `me` may learn of a change by unnamed other members, such as a like. Not if all of them are
 * blocked, because `me` would notice one acting.
 * @param state as recorded; without such members, every reader learns of it
 */
export const mayLearnOfUpdate = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition =>
  or(
    sql`${state} -> 'caused_by' is null`,
    sql`exists (select from jsonb_array_elements_text(${state} -> 'caused_by') as cause (id)
      where ${notBlocked(me, sql`cause.id::bigint`)})`,
  )

/**
 * Whether `me` may learn of a profile change: of an unlisted member only acquaintances do, not everyone who
 * can read it by URL.
 * @param key of the row
 */
export const mayLearnOfProfileChange = (
  me: MemberKeyExpression,
  collection: Expression<unknown>,
  key: Expression<unknown>,
): SqlCondition =>
  sql`(${collection} <> 'users' or exists (select from users lu where lu.id = ${key}
    and (lu.is_listed or lu.id = ${me} or ${areAcquainted(me, sql.ref('lu.id'))}) offset 0))`

/** Whether `me` sees a member's activity in a shared group; its admin also sees blocked members'. */
export const whereMaySeeMemberInGroup = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  group: Expression<unknown>,
): SqlCondition =>
  and(hasOpenAccount(member), or(notBlocked(me, member), adminSeesBlockedMember(me, member, group, noLock)))

/** Selects `me`'s groups. @param by only memberships that existed at that time */
export const selectJoinedGroupKeys = (
  me: MemberKeyExpression,
  by?: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm
    where gm.user_id = ${me} and ${isGroupNotWithoutHeir(sql.ref('gm.group_id'))}${by ? sql` and gm.created_at <= ${by}` : sql``})`

/** Selects all groups of a member, including hidden ones. */
export const selectMembershipGroupKeys = (member: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm where gm.user_id = ${member})`

export const selectAdministeredGroupKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select ga.id from groups ga where ga.admin_id = ${me})`

/** Whether a post is shared with a member, ignoring their relation to its author. */
export const wherePostSharedWith = (member: MemberKeyExpression, alias: string): SqlCondition =>
  isPostSharedWith(member, columnExpressionsOf<'posts'>(alias), noLock)

/**
 * Whether `me`'s report goes to the group's admin: nothing stands between admin, author and `me`. Otherwise
 * the queue would tell `me` a block from a closed account.
 */
export const whereGroupDeskReceivesReport = (
  me: MemberKeyExpression,
  { group, post }: { group: string; post: string },
): SqlCondition => {
  const admin = sql.ref<number>(`${group}.admin_id`)
  const { creator_id } = columnExpressionsOf<'posts'>(post)
  return and(
    mayReviewReportsAbout(admin, creator_id),
    notBlocked(admin, me),
    notBlocked(me, creator_id),
    whereMemberMayRead(admin, 'posts', post),
  )
}

export const selectOwnConversationKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select c.id from conversations c where c.low_id = ${me} union all
    select c.id from conversations c where c.high_id = ${me})`

/**
 * The remaining read rule for posts already public or from `selectJoinedGroupKeys`. Reads blocks once per
 * statement, which walks hundreds of posts.
 */
export const wherePostCreatorOpenAndUnblocked = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { creator_id } = columnExpressionsOf<'posts'>(alias)
  return and(
    hasOpenAccount(creator_id),
    sql`${creator_id} not in (select pair.other_id from block_pairs pair where pair.member_id = ${me})`,
  )
}

/** Counts closed accounts among a member's followers or followed, by `which` side. */
export const selectClosedAccountFollowCount = (
  member: Expression<unknown>,
  which: 'follower_id' | 'following_id',
): RawBuilder<number> => {
  const own = which === 'follower_id' ? 'following_id' : 'follower_id'
  return sql`(select count(*)::int from accounts closed join users gone on gone.account_id = closed.id
    join follows cf on cf.${sql.ref(which)} = gone.id and cf.${sql.ref(own)} = ${member} where closed.status = 'blocked')`
}

/**
 * Matches posts for Home and group lists. Hidden posts are in neither; their author finds them elsewhere.
 * Withheld ones show only to the author and whoever asked.
 */
export const wherePostNotHidden = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { hidden_by, withheld_by, creator_id } = columnExpressionsOf<'posts'>(alias)
  return and(isNull(hidden_by), maySeePhoto(me, withheld_by, creator_id))
}

/**
 * Matches posts for their place's page: own ones at once, others' after a day unless the author opted out.
 * Nobody can look up where a member is now.
 * @param since when the post came to the place
 */
export const whereOnPlacePage = (
  me: MemberKeyExpression,
  alias: string,
  since: Expression<unknown>,
): SqlCondition => {
  const { creator_id } = columnExpressionsOf<'posts'>(alias)
  return or(
    eq(creator_id, me),
    sql`(${since} <= clock_timestamp() - interval '24 hours'
      and exists (select from users pu where pu.id = ${creator_id} and pu.on_place_pages offset 0))`,
  )
}

/** Whether `me` sees a photo `photo` (a row with `withheld_by`) of a readable post. */
export const wherePhotoShown = (me: MemberKeyExpression, photo: string, post: string): SqlCondition =>
  maySeePhoto(me, sql.ref(`${photo}.withheld_by`), sql.ref(`${post}.creator_id`))

/**
 * Counts posts of member `alias` outside groups that `me` reads, from stored counts; only the few hidden and
 * withheld ones are counted.
 */
export const countReadablePostsOutsideGroups = (
  me: MemberKeyExpression,
  alias: string,
): RawBuilder<number> => {
  const { id, post_count, followers_post_count } = columnExpressionsOf<'users'>(alias)
  return sql`(${post_count} - case when ${maySeeFollowersOnlyPosts(me, id)} then 0 else ${followers_post_count} end
    - (select count(*)::int from posts hp where hp.creator_id = ${id} and hp.hidden_by is not null and hp.group_id is null
        and ${id} <> ${me} and (not hp.followers_only or ${maySeeFollowersOnlyPosts(me, id)}))
    - (select count(*)::int from posts wp where wp.creator_id = ${id} and wp.withheld_by is not null and wp.withheld_by <> ${me}
        and wp.hidden_by is null and wp.group_id is null and ${id} <> ${me}
        and (not wp.followers_only or ${maySeeFollowersOnlyPosts(me, id)})))`
}
