/**
 * Who may do what: every permission rule of Juntas. The rules stand in policy/, and what statements ask of them here.
 *
 * A rule is a condition over two SQL expressions: `me`, the caller, and `row`, the row in question. Because both
 * are expressions, one rule filters lists (`selectReadableRows`), decides one record (`may`) and one write (`whereMemberMayWrite`), decides at
 * delivery who receives a change, and tells the screen what it may offer (`can`). A condition that comes out null means
 * refused, and a table without rules does not compile.
 *
 * The rules in words and as a table: docs/permissions.md. Whether two members see each other at all is `isMemberVisible`, of which
 * blocks are a clause: it holds in lists, groups, chat, live updates and pictures alike.
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

/** The table already narrowed to what `me` may read: where every read starts. The alias is the table's name. */
export function selectReadableRows<T extends PolicyTable>(
  db: Kysely<DatabaseTables>,
  me: MemberKeyExpression,
  table: T,
): SelectQueryBuilder<DatabaseTables, T, Record<never, never>> {
  const narrowed = db.selectFrom(table as PolicyTable).where(whereMemberMayRead(me, table, table))
  return narrowed as unknown as SelectQueryBuilder<DatabaseTables, T, Record<never, never>>
}

/** As a condition over `alias`: who may learn who likes the post, beside the caller's own like. */
export const whereMayReadLikers = (me: MemberKeyExpression, alias: string): SqlCondition =>
  maySeeLikers(me, columnExpressionsOf<'posts'>(alias), noLock)

/**
 * As a condition: whether `me` learns that a participant has read a message.
 * @param reader a participant's key @param message its key @param talk the alias of its conversation
 */
export const whereMaySeeReader = (
  me: MemberKeyExpression,
  reader: Expression<unknown>,
  message: Expression<unknown>,
  talk: string,
): SqlCondition => maySeeReader(me, reader, message, columnExpressionsOf<'conversations'>(talk))

/** One rule as a condition, for hand-written SQL over `alias`. */
export const whereAccessRuleAllows = <T extends PolicyTable>(
  me: MemberKeyExpression,
  action: AccessRuleAction,
  table: T,
  alias: string,
): SqlCondition => nullAsFalse(accessRules[table][action](me, columnExpressionsOf<T>(alias), noLock))

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
): SqlCondition => nullAsFalse(accessRules[table][action](me, columnExpressionsOf<T>(alias), shareLock))

/**
 * The condition of standing in a list of posts that is no group's own, bare as `whereMemberMayRead`: not where only keeping order lets a
 * group's admin read the post.
 */
export const whereMayListPost = (me: MemberKeyExpression, alias: string): SqlCondition =>
  and(
    isPostSharedWith(me, columnExpressionsOf<'posts'>(alias), noLock),
    wherePostCreatorOpenAndUnblocked(me, alias),
  )

/** One ability as a condition over `alias`. @param lock holds what grants it until the commit, for the statement that writes */
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

/** The refusal of an action in the state the row over `alias` is in, as text, or null. */
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
 * The condition that the row over `alias` is there for who would act on it: readable, or of those that need not be. Where it does
 * not take the action it only tells how that is refused, and locks nothing.
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
 * The condition that a comment over `alias` is a document of its own to `me`. Under a post of one's own what is left of one that was
 * removed is none, because one by a member who is out of sight is none either; both have their place in the list of the product.
 */
export const whereCommentShownAsDocument = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { post_id, removed_at } = columnExpressionsOf<'comments'>(alias)
  return or(
    isNull(removed_at),
    sql`not exists (select from posts dp where dp.id = ${post_id} and dp.creator_id = ${me})`,
  )
}

/**
 * Keys that a statement may begin with because they are `me`'s own, each a sub-select with one column `id`: for walks
 * along an index that a rule asked of every row would keep the planner from. No follow crosses a block, which the database
 * holds, so blocks are not asked again for each.
 */
export const selectFollowedMemberKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
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
 * would be seen to act, nor a post for followers of whom `me` is none, nor a follow of members whose lists are closed to `me`, nor
 * what was hidden or withheld from `me`, nor what was said under a post that `me` does not read. Of who has closed the account that
 * end alone is told: the rest was out of sight before.
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
 * Of what is hidden those hear the end who still read it, its author or its admin; that it was hidden those hear who do not. The
 * record of a row that is gone is whole, that of one that was hidden is not.
 */
const mayLearnOfHidden = (me: MemberKeyExpression, state: Expression<unknown>): SqlCondition =>
  sql`case when ${state} ->> 'hidden_at' is null then true
    when ${state} -> 'owner_ids' is null then case when ${state} ? 'admin_id' then ${state} ->> 'admin_id' = ${me}::text
      else not ${isGroupMember(me, sql`(${state} ->> 'id')::bigint`, noLock)} end
    else (${state} -> 'owner_ids' @> to_jsonb(${me})) = (${state} ? 'caption') end`

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

/**
 * Tells whether `me` may hear that a row is new or changed, by whose row it is: of the profile of a member who does not want to be
 * listed those hear who know that member, because whoever only reads it by its address must not be sent it.
 * @param key of the row
 */
export const mayLearnOfProfileChange = (
  me: MemberKeyExpression,
  collection: Expression<unknown>,
  key: Expression<unknown>,
): SqlCondition =>
  sql`(${collection} <> 'users' or exists (select from users lu where lu.id = ${key}
    and (lu.is_listed or lu.id = ${me} or ${areAcquainted(me, sql.ref('lu.id'))}) offset 0))`

/** The condition that `me` sees what a member does in a group of both: its admin also what a member does whom the admin blocked. */
export const whereMaySeeMemberInGroup = (
  me: MemberKeyExpression,
  member: Expression<unknown>,
  group: Expression<unknown>,
): SqlCondition =>
  and(hasOpenAccount(member), or(notBlocked(me, member), adminSeesBlockedMember(me, member, group, noLock)))

/** Selects the groups `me` is in. @param by only memberships that existed at that time */
export const selectJoinedGroupKeys = (
  me: MemberKeyExpression,
  by?: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm
    where gm.user_id = ${me} and ${isGroupNotWithoutHeir(sql.ref('gm.group_id'))}${by ? sql` and gm.created_at <= ${by}` : sql``})`

/** Selects all groups of a member, also those that are hidden until their admin is back. */
export const selectMembershipGroupKeys = (member: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select gm.group_id as id from group_members gm where gm.user_id = ${member})`

export const selectAdministeredGroupKeys = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select ga.id from groups ga where ga.admin_id = ${me})`

/** Tells whether a post is shared with a member, whatever stands between that member and its author. */
export const wherePostSharedWith = (member: MemberKeyExpression, alias: string): SqlCondition =>
  isPostSharedWith(member, columnExpressionsOf<'posts'>(alias), noLock)

/**
 * Tells whether a report by `me` about a post goes to the group's admin, who reads the post: nothing stands between any two of admin,
 * author and `me`. Else the desk would tell `me` a block by the author from a closed account.
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

/** How many of a member's followers and followed have closed their accounts: `which` side the closed one stands on. */
export const selectClosedAccountFollowCount = (
  member: Expression<unknown>,
  which: 'follower_id' | 'following_id',
): RawBuilder<number> => {
  const own = which === 'follower_id' ? 'following_id' : 'follower_id'
  return sql`(select count(*)::int from accounts closed join users gone on gone.account_id = closed.id
    join follows cf on cf.${sql.ref(which)} = gone.id and cf.${sql.ref(own)} = ${member} where closed.status = 'blocked')`
}

/**
 * The condition that a post over `alias` is in Home or in a group's list: what is hidden is in neither, not even in its author's, who
 * finds it with its reason on the profile, in Explore and by search; what is withheld only in those of its author and of who asked.
 */
export const wherePostNotHidden = (me: MemberKeyExpression, alias: string): SqlCondition => {
  const { hidden_by, withheld_by, creator_id } = columnExpressionsOf<'posts'>(alias)
  return and(isNull(hidden_by), maySeePhoto(me, withheld_by, creator_id))
}

/**
 * The condition that a post over `alias` is on the page of its place: its author's own at once, another's a day after the place was said
 * and where its author keeps none off such pages. Where a member is now is nobody's to look up.
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

/** The condition that `me` sees a photo `photo` (a row with `withheld_by`) of a post over `post` that `me` reads. */
export const wherePhotoShown = (me: MemberKeyExpression, photo: string, post: string): SqlCondition =>
  maySeePhoto(me, sql.ref(`${photo}.withheld_by`), sql.ref(`${post}.creator_id`))

/**
 * Selects how many of the posts outside groups of the member `alias` (users) `me` may read, from the counts kept with the member.
 * The hidden and the withheld ones, which are few, are counted.
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
