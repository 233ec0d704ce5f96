/**
 * A rule is a condition over two SQL expressions: `me`, the caller, and `row`. Null means refused.
 * The same rule filters lists, decides about one record or write, selects recipients, and fills `can`.
 * docs/permissions.md lists the rules.
 */
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { abilities } from './abilities.ts'
import {
  accessRules,
  actionConflicts,
  actionsAllowedOnInvisibleRows,
  actionsNotFoundOnTombstones,
  mayLikePost,
} from './access-rules.ts'
import { maySeeReader } from './read-receipts.ts'
import {
  adminSeesBlockedMember,
  areAcquainted,
  hasBlocked,
  hasOpenAccount,
  isGroupMember,
  isGroupNotWithoutSuccessor,
  isPostSharedWith,
  mayGroupAdminReviewReportsAbout,
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
  withKnownNulls,
} from './rule.ts'

export { accessRules } from './access-rules.ts'
export {
  countListedReplies,
  countReadableComments,
  selectHiddenComments,
  whereCommentListed,
  whereCommentShown,
  whereMayBeMentioned,
  whereMayNameMember,
  whereMentionShown,
  whereRemovedCommentWasListed,
} from './comment-visibility.ts'
export {
  selectDeclinableHandover,
  selectDeclineSuccessor,
  selectSuccessors,
  whereHandoverOpen,
} from './group-successors.ts'
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

export const memberKeyParameter = (memberId: number | Expression<number>): MemberKeyExpression =>
  sql<number>`${memberId}::bigint`

/** Every read starts from this query. The alias is the table's name. */
export function selectReadableRows<T extends PolicyTable>(
  db: Kysely<DatabaseTables>,
  me: MemberKeyExpression,
  table: T,
): SelectQueryBuilder<DatabaseTables, T, Record<never, never>> {
  const narrowed = db.selectFrom(table as PolicyTable).where(whereMemberMayRead(me, table, table))
  return narrowed as unknown as SelectQueryBuilder<DatabaseTables, T, Record<never, never>>
}

export const whereMayReadLikers = (me: MemberKeyExpression, alias: string): SqlCondition =>
  maySeeLikers(me, columnExpressionsOf<'posts'>(alias), noLock)

export const whereMaySeeReader = (
  me: MemberKeyExpression,
  reader: Expression<unknown>,
  message: Expression<unknown>,
  conversation: string,
): SqlCondition => maySeeReader(me, reader, message, columnExpressionsOf<'conversations'>(conversation))

export const whereAccessRuleAllows = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition => nullAsFalse(accessRules[table][action](me, columnExpressionsOf<T>(alias), noLock))

/** Omits `nullAsFalse`, so that PostgreSQL can use an index for the condition. */
export const whereMemberMayRead = <T extends PolicyTable>(
  me: MemberKeyExpression,
  table: T,
  alias: string,
): SqlCondition => accessRules[table].read(me, columnExpressionsOf<T>(alias), noLock)

/**
 * Locks the row that grants the permission until the commit.
 * Otherwise, for example, a membership could end between the check and the write.
 * @param nulls columns that must be null. The rule then omits its conditions on their values, which PostgreSQL would
 * set up at each execution.
 */
export const whereMemberMayWrite = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
  nulls: readonly string[] = [],
): SqlCondition => {
  const row = withKnownNulls(columnExpressionsOf<T>(alias), nulls)
  const areNull = nulls.map((column) => isNull(sql.ref(`${alias}.${column}`)))
  return nullAsFalse(and(...areNull, accessRules[table][action](me, row, shareLock)))
}

/** Locks the row that grants the permission until the commit, as `whereMemberMayWrite` does. */
export const whereMemberMayLikePost = (me: MemberKeyExpression, alias: string): SqlCondition =>
  nullAsFalse(mayLikePost(me, columnExpressionsOf<'posts'>(alias), shareLock))

/**
 * Excludes posts that `me` can read only as the group's admin, for lists outside the group.
 * Omits `nullAsFalse`, as `whereMemberMayRead` does.
 */
export const whereMayListPost = (me: MemberKeyExpression, alias: string): SqlCondition =>
  and(
    isPostSharedWith(me, columnExpressionsOf<'posts'>(alias), noLock),
    wherePostCreatorOpenAndUnblocked(me, alias),
  )

/** @param lock `locked` locks the row that grants the ability until the commit */
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

/** Null if the row's state does not prevent the action. */
export function selectActionConflictError<T extends PolicyTable>(
  action: AccessRuleAction,
  table: T,
  alias: string,
): RawBuilder<ErrorType | null> {
  const conflict = actionConflicts[table]?.[action]
  if (!conflict) return sql`null::text`
  return sql`case when ${conflict.when(columnExpressionsOf<T>(alias))} then ${conflict.error}::text end`
}

/** The result only chooses which error a refusal has. */
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
 * The Appwrite API omits tombstones under the caller's own posts, because it also omits comments by hidden
 * members.
 */
export const whereCommentShownAsDocument = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { post_id, removed_at } = columnExpressionsOf<'comments'>(alias)
  return or(
    isNull(removed_at),
    sql`not exists (select from posts dp where dp.id = ${post_id} and dp.creator_id = ${me})`,
  )
}

/**
 * Queries start from these keys to use an index, which a rule per row would prevent.
 * Blocks are not checked, because the database forbids follows between blocked members.
 */
export const selectFollowedMemberKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select fo.following_id as id from follows fo
    where fo.follower_id = ${me} and ${hasOpenAccount(sql.ref('fo.following_id'))})`

/** A participant who blocked the other is omitted: only the other's read position can still change. */
export const selectNotifiableParticipants = ({
  low_id,
  high_id,
}: ColumnExpressions<'conversations'>): RawBuilder<number[]> =>
  sql`array(select told.id from (values (${low_id}, ${high_id}), (${high_id}, ${low_id})) as told (id, other)
    where not ${hasBlocked(sql.ref('told.id'), sql.ref('told.other'))})`

/**
 * Needed because the read rules do not apply to a deleted row.
 * For a closed account, only the deletion of the profile is sent.
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
 * Hiding a row is sent as a deletion to its readers, except to its author and to members of a hidden group. If the
 * hidden row is then deleted, only the author or the group's admin receives that. Deletion records have all columns;
 * hiding records do not.
 */
const mayLearnOfHidden = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition =>
  sql`case when ${state} ->> 'hidden_at' is null then true
    when ${state} -> 'owner_ids' is null then case when ${state} ? 'admin_id' then ${state} ->> 'admin_id' = ${me}::text
      else not ${isGroupMember(me, sql`(${state} ->> 'id')::bigint`, noLock)} end
    else (${state} -> 'owner_ids' @> to_jsonb(${me})) = (${state} ? 'caption') end`

/**
 * False if every member who caused the change is blocked from `me`, who must not notice their activity.
 * @param state as recorded; if it names no such members, every reader learns of the change
 */
export const mayLearnOfUpdate = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition =>
  or(
    sql`${state} -> 'caused_by' is null`,
    sql`exists (select from jsonb_array_elements_text(${state} -> 'caused_by') as cause (id)
      where ${notBlocked(me, sql`cause.id::bigint`)})`,
  )

/** Only acquaintances learn of an unlisted member's changes. */
export const mayLearnOfProfileChange = (
  me: MemberKeyExpression,
  collection: Expression<unknown>,
  key: Expression<unknown>,
): SqlCondition =>
  sql`(${collection} <> 'users' or exists (select from users lu where lu.id = ${key}
    and (lu.is_listed or lu.id = ${me} or ${areAcquainted(me, sql.ref('lu.id'))}) offset 0))`

/** The group's admin also sees members whom the admin blocked. */
export const whereMaySeeMemberInGroup = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  group: Expression<unknown>,
): SqlCondition =>
  and(hasOpenAccount(member), or(notBlocked(me, member), adminSeesBlockedMember(me, member, group, noLock)))

/** @param by if given, selects only memberships that existed at that time */
export const selectJoinedGroupKeys = (
  me: MemberKeyExpression,
  by?: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm
    where gm.user_id = ${me} and ${isGroupNotWithoutSuccessor(sql.ref('gm.group_id'))}${by ? sql` and gm.created_at <= ${by}` : sql``})`

/** Includes groups that are hidden. */
export const selectMembershipGroupKeys = (member: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm where gm.user_id = ${member})`

export const selectAdministeredGroupKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select ga.id from groups ga where ga.admin_id = ${me})`

/** Checks only the audience, not whether the member and the author see each other. */
export const wherePostSharedWith = (member: MemberKeyExpression, alias: string): SqlCondition =>
  isPostSharedWith(member, columnExpressionsOf<'posts'>(alias), noLock)

/**
 * The admin, the author and `me` must not be hidden from each other.
 * Otherwise the queue that receives the report would let `me` distinguish a block from a closed account.
 */
export const whereGroupQueueReceivesReport = (
  me: MemberKeyExpression,
  { group, post }: { group: string; post: string },
): SqlCondition => {
  const admin = sql.ref<number>(`${group}.admin_id`)
  const { creator_id } = columnExpressionsOf<'posts'>(post)
  return and(
    mayGroupAdminReviewReportsAbout(admin, creator_id),
    notBlocked(admin, me),
    notBlocked(me, creator_id),
    whereMemberMayRead(admin, 'posts', post),
  )
}

export const selectOwnConversationKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select c.id from conversations c where c.low_id = ${me} union all
    select c.id from conversations c where c.high_id = ${me})`

/**
 * Completes the read rule for posts that are public or come from `selectJoinedGroupKeys`.
 * The blocks are read once per statement, because the statement reads hundreds of posts.
 */
export const wherePostCreatorOpenAndUnblocked = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { creator_id } = columnExpressionsOf<'posts'>(alias)
  return and(
    hasOpenAccount(creator_id),
    sql`${creator_id} not in (select pair.other_id from block_pairs pair where pair.member_id = ${me})`,
  )
}

export const selectClosedAccountFollowCount = (
  member: Expression<unknown>,
  which: 'follower_id' | 'following_id',
): RawBuilder<number> => {
  const own = which === 'follower_id' ? 'following_id' : 'follower_id'
  return sql`(select count(*)::int from accounts closed join users gone on gone.account_id = closed.id
    join follows cf on cf.${sql.ref(which)} = gone.id and cf.${sql.ref(own)} = ${member} where closed.status = 'blocked')`
}

/** Only the author and the person who asked to hide the photo see a withheld post. */
export const wherePostNotHidden = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { hidden_by, withheld_by, creator_id } = columnExpressionsOf<'posts'>(alias)
  return and(isNull(hidden_by), maySeePhoto(me, withheld_by, creator_id))
}

/**
 * Other members' posts appear after a day, unless the author opted out.
 * Otherwise the page would show where a member is now.
 * @param since when the post was assigned to the place
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

/** @param photo the alias of a row with `withheld_by` */
export const wherePhotoShown = (me: MemberKeyExpression, photo: string, post: string): SqlCondition =>
  maySeePhoto(me, sql.ref(`${photo}.withheld_by`), sql.ref(`${post}.creator_id`))

/** Starts from stored counts and subtracts the hidden and withheld posts, which are few. */
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

type CallingMember = { me: { id: number }; database: { kysely: Kysely<DatabaseTables> } }

export async function isOperator({ me, database }: CallingMember): Promise<boolean> {
  const operator = await selectReadableRows(database.kysely, memberKeyParameter(me.id), 'users')
    .select('id')
    .where('id', '=', me.id)
    .where(whereMemberHasAbility(memberKeyParameter(me.id), 'operateCommunity', 'users', 'users'))
    .executeTakeFirst()
  return operator !== undefined
}

/** @throws Failure 404 if the caller is not an operator, as for an unknown path */
export async function requireOperator(caller: CallingMember): Promise<void> {
  if (!(await isOperator(caller))) throwFailure('general_route_not_found')
}
