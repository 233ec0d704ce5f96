/** Chooses who may become the admin of a group. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { hasOpenAccount, isMemberVisible, notBlocked } from './relationships.ts'

/**
 * Selects the oldest members first. Excludes members who declined.
 * Excludes members blocked from the admin or from an earlier admin whose account is closed.
 */
export const selectHeirs = (
  group: Expression<unknown>,
  admin: Expression<number>,
  { closedToo = false }: { closedToo?: boolean } = {},
): RawBuilder<unknown> => {
  const heir = sql.ref('m.user_id')
  const isThere = closedToo
    ? sql`exists (select from users hu join accounts ha on ha.id = hu.account_id where hu.id = ${heir} and ha.erased_at is null)
        and ${notBlocked(admin, heir)}`
    : isMemberVisible(admin, heir)
  return sql`
    select m.user_id, m.created_at, m.id, ${hasOpenAccount(heir)} as open from group_members m
    where m.group_id = ${group} and m.user_id <> ${admin} and ${isThere} and not exists (
      select from group_handovers gh where gh.group_id = m.group_id and (gh.to_id = m.user_id and gh.declined_at is not null
        or gh.from_id <> m.user_id and not ${hasOpenAccount(sql.ref('gh.from_id'))} and not ${notBlocked(sql.ref<number>('gh.from_id'), heir)}))
    order by ${closedToo ? sql`open desc,` : sql``} m.created_at, m.id`
}

/** Selects the newest handover to the admin that they may decline. */
export const selectDeclinableHandover = (
  group: Expression<unknown>,
  admin: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`select gh.id, gh.from_id, gh.case_id from group_handovers gh
    where gh.group_id = ${group} and gh.to_id = ${admin} and gh.from_id is not null and gh.declined_at is null
    order by gh.id desc limit 1`

/**
 * Selects who receives a group that its admin declines: the previous admin if they are a successor too, otherwise the
 * next successor, otherwise the previous admin with a closed account if they are still a member.
 */
export const selectDeclineSuccessor = (
  group: Expression<unknown>,
  admin: Expression<number>,
  former: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`select next.user_id, next.open from (${selectHeirs(group, admin, { closedToo: true })}) next
    where next.open or next.user_id = ${former}
    order by next.open desc, next.user_id = ${former} desc, next.created_at, next.id limit 1`
