/** Tells whether a moderator has claimed a case. */
import { type RawBuilder, sql } from 'kysely'

/** The condition that the claim of the case over `alias` holds: for half an hour. */
export const whereCaseIsClaimed = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.claimed_by`)} is not null and ${sql.ref(`${alias}.claimed_at`)} > clock_timestamp() - interval '30 minutes')`
