import { type RawBuilder, sql } from 'kysely'

/** A claim is valid for half an hour. */
export const whereCaseIsClaimed = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.claimed_by`)} is not null and ${sql.ref(`${alias}.claimed_at`)} > clock_timestamp() - interval '30 minutes')`

/**
 * Selects the first decision about case `c` that the reporter of `r` (reports) sees. For a report to a group,
 * a later decision of the moderators about the same subject also counts. Otherwise the reporter could tell
 * that a block kept the report from the group's admin.
 */
export const selectDecisionForReporter: RawBuilder<unknown> = sql`
  select t.id, t.decision from moderation_cases t
  where t.kind = c.kind and t.subject_id = c.subject_id and t.status = 'decided' and (t.id = c.id
    or coalesce(r.desk, c.desk) = 'group' and t.desk = 'moderators' and t.decided_at > r.created_at)
  order by t.decided_at, t.id limit 1`
