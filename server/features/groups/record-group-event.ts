/** Decisions about a group are recorded in the account log of the member who decided. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'

export type GroupEvent =
  | 'group.create'
  | 'group.handover'
  | 'group.delete'
  | 'member.leave'
  | 'member.remove'
  | 'request.accept'
  | 'request.reject'

/**
 * @param by key of the member who decided
 * @param about keys of the group and the affected member
 */
export async function recordGroupEvent(
  db: Kysely<DatabaseTables>,
  by: number,
  event: GroupEvent,
  about: { group: number; whom?: number },
): Promise<void> {
  await sql`
    insert into account_events (account_id, event, about, whom)
    select u.account_id, ${event}, (select g.public_id from groups g where g.id = ${about.group}),
      (select w.public_id from users w where w.id = ${about.whom ?? null}::bigint)
    from users u where u.id = ${by}`.execute(db)
}
