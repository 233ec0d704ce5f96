/** Which states of a case moderators and reporters see. */
import { type RawBuilder, sql } from 'kysely'

/** Whether the claim of the case in `alias` is still valid: for half an hour. */
export const whereCaseIsClaimed = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.claimed_by`)} is not null and ${sql.ref(`${alias}.claimed_at`)} > clock_timestamp() - interval '30 minutes')`

/**
 * Selects the decision shown to the reporter of `r` (reports) of the case `c`: the first. A report to a group
 * also counts a later decision of the moderators about the same subject, because a block may have kept the
 * report from the group's admin, and being decided with others would reveal that.
 */
export const selectToldDecision: RawBuilder<unknown> = sql`
  select t.id, t.decision from moderation_cases t
  where t.kind = c.kind and t.subject_id = c.subject_id and t.status = 'decided' and (t.id = c.id
    or coalesce(r.desk, c.desk) = 'group' and t.desk = 'moderators' and t.decided_at > r.created_at)
  order by t.decided_at, t.id limit 1`
