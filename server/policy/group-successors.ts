/** Chooses who may become the admin of a group. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { hasOpenAccount, hasRestricted, notBlocked } from './relationships.ts'
import { and, type MemberKeyExpression, not, type SqlCondition } from './rule.ts'

const maySucceedAdmin = (admin: MemberKeyExpression, successor: Expression<unknown>): SqlCondition =>
  and(notBlocked(admin, successor), not(hasRestricted(admin, successor)))

/**
 * Selects the oldest members first, and only open accounts. Excludes members who declined.
 * Excludes members who are blocked from or restricted by the admin or an earlier admin whose account is closed.
 */
export const selectSuccessors = (
  group: Expression<unknown>,
  admin: MemberKeyExpression,
): RawBuilder<unknown> => {
  const successor = sql.ref('m.user_id')
  return sql`
    select m.user_id, m.created_at, m.id from group_members m
    where m.group_id = ${group} and m.user_id <> ${admin}
      and ${hasOpenAccount(successor)} and ${maySucceedAdmin(admin, successor)} and not exists (
      select from group_handovers gh where gh.group_id = m.group_id and (gh.to_id = m.user_id and gh.declined_at is not null
        or gh.from_id <> m.user_id and not ${hasOpenAccount(sql.ref('gh.from_id'))}
          and not ${maySucceedAdmin(sql.ref<number>('gh.from_id'), successor)}))
    order by m.created_at, m.id`
}

/** A handover can be declined until an admin hands the group over by hand. */
export const whereHandoverOpen = (handover: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${handover}.declined_at`)} is null and ${sql.ref(`${handover}.handed_on_at`)} is null)`

/** Selects the newest handover to the admin that they may decline. Its `from_id` is null after an erasure. */
export const selectDeclinableHandover = (
  group: Expression<unknown>,
  admin: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`select gh.id, gh.from_id, gh.case_id, gh.created_at from group_handovers gh
    where gh.group_id = ${group} and gh.to_id = ${admin} and ${whereHandoverOpen('gh')}
    order by gh.id desc limit 1`

/**
 * Selects who receives a group that its admin declines: the previous admin if they are a successor too and have not
 * left the group since, otherwise the next successor. A closed previous admin is skipped like a blocked one, so
 * that the admin cannot tell one from the other.
 * @param handover the alias of a `selectDeclinableHandover` row
 */
export const selectDeclineSuccessor = (
  group: Expression<unknown>,
  admin: MemberKeyExpression,
  handover: string,
): RawBuilder<unknown> =>
  sql`select next.user_id from (${selectSuccessors(group, admin)}) next
    order by next.user_id is not distinct from ${sql.ref(`${handover}.from_id`)}
      and next.created_at <= ${sql.ref(`${handover}.created_at`)} desc, next.created_at, next.id limit 1`
