/**
 * Counts and selects the visible members with whom a member's post would be shared.
 * Excludes a group's admin who blocked the author, because counting them would reveal the block.
 * The cost grows with the number of closed accounts and blocks, not with the audience.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { abilities } from './abilities.ts'
import { isMemberVisible, selectClosedMembers } from './relationships.ts'
import { columnExpressionsOf, type MemberKeyExpression } from './rule.ts'

/** These members do not see `me` either. */
const selectInvisibleMembers = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(${selectClosedMembers} union select pair.other_id from block_pairs pair where pair.member_id = ${me})`

export const countGroupAudience = (me: MemberKeyExpression, group: Expression<unknown>): RawBuilder<number> =>
  sql`(select greatest(0, ag.member_count - 1 - (select count(*)::int from ${selectInvisibleMembers(me)} as away (id)
      join group_members am on am.group_id = ag.id and am.user_id = away.id)) from groups ag where ag.id = ${group})`

export const countFollowersAudience = (me: MemberKeyExpression): RawBuilder<number> =>
  sql`(select au.follower_count - (select count(*)::int from ${selectInvisibleMembers(me)} as away (id)
      join follows af on af.follower_id = away.id and af.following_id = au.id) from users au where au.id = ${me})`

/** Counts at most `atMost` members. Use `estimateMemberCount` for more. */
export const countAllMembersUpTo = (me: MemberKeyExpression, atMost: number): RawBuilder<number> =>
  sql`(select count(*)::int from (select from users ae
      where ae.id <> ${me} and ae.id not in ${selectInvisibleMembers(me)} limit ${atMost}) as counted)`

/**
 * Estimates the number of members from the planner's statistics, because counting all members is too slow.
 */
export const estimateMemberCount = (me: MemberKeyExpression): RawBuilder<number> =>
  sql`(select (pc.reltuples - (select count(*) from ${selectInvisibleMembers(me)} as away))::int
    from pg_class pc where pc.oid = 'users'::regclass)`

/**
 * Returns null if everyone can read the post. The count may be slightly out of date.
 * @param group the group's key, or null
 */
export const countAudienceForPostReceipt = (
  me: MemberKeyExpression,
  group: unknown,
): RawBuilder<number | null> =>
  sql`case ${group === null ? sql`` : sql`when ${group}::bigint is not null then ${countGroupAudience(me, sql`${group}::bigint`)}`}
    when (select ap.is_private from users ap where ap.id = ${me}) then ${countFollowersAudience(me)} end`

/** Selects the group's newest members first, with their join dates. */
export const selectGroupAudience = (
  me: MemberKeyExpression,
  group: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`(select am.user_id as id, am.created_at as since from group_members am
    where am.group_id = ${group} and am.user_id <> ${me} and ${isMemberVisible(me, sql.ref('am.user_id'))}
    order by am.created_at desc, am.id desc)`

export const selectFollowersAudience = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select af.follower_id as id, af.created_at as since from follows af
    where af.following_id = ${me} and ${isMemberVisible(me, sql.ref('af.follower_id'))}
    order by af.created_at desc, af.id desc)`

export const selectListedAudience = (me: MemberKeyExpression): RawBuilder<unknown> =>
  sql`(select ae.id, ae.created_at as since from users ae
    where ae.id <> ${me} and ${isMemberVisible(me, sql.ref('ae.id'))}
      and ${abilities.users.beFound(me, columnExpressionsOf<'users'>('ae'))}
    order by ae.created_at desc, ae.id desc)`
