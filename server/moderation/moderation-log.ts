/** Records what moderators and operators did, in the transaction that does it. The database refuses to change it. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

export type ModerationAct = 'claim' | 'release' | 'dismiss' | 'suspend' | 'moderator.add' | 'moderator.remove'

/** @param by key of the member who did it; null for an operator */
export async function recordModerationAct(
  db: Kysely<DatabaseTables>,
  act: ModerationAct,
  { by, caseKey = null, detail = {} }: { by: number | null; caseKey?: number | null; detail?: object },
): Promise<void> {
  await sql`
    insert into moderation_log (case_id, actor_id, act, detail)
    values (${caseKey}, ${by}, ${act}, ${JSON.stringify(detail)}::jsonb)`.execute(db)
}
