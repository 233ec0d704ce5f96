/** What a moderator, or the member who reported, is shown of the state of a case. */
import { type RawBuilder, sql } from 'kysely'

/** The condition that the claim of the case over `alias` holds: for half an hour. */
export const whereCaseIsClaimed = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.claimed_by`)} is not null and ${sql.ref(`${alias}.claimed_at`)} > clock_timestamp() - interval '30 minutes')`

/**
 * Selects the decision that the reporter of `r` (reports), of the case `c`, is told of: the first. Of a report to a group it is the
 * moderators' too, of the same thing and made since: a report that a block kept from the group's admin stands in their case, and
 * would tell so by being decided together with others.
 */
export const selectToldDecision: RawBuilder<unknown> = sql`
  select t.id, t.decision from moderation_cases t
  where t.kind = c.kind and t.subject_id = c.subject_id and t.status = 'decided' and (t.id = c.id
    or coalesce(r.desk, c.desk) = 'group' and t.desk = 'moderators' and t.decided_at > r.created_at)
  order by t.decided_at, t.id limit 1`
