/** The database refuses changes to the log. */
import { type Kysely, sql } from 'kysely'
import type { ModerationDecision } from '#contract/moderation/cases.ts'
import type { GroupCaseDecision } from '#contract/moderation/group-cases.ts'
import type { DatabaseTables } from '../../database/schema.ts'

export type ModerationLogAction =
  | 'claim'
  | 'release'
  | ModerationDecision
  | GroupCaseDecision
  | 'suspend.propose'
  | 'suspend.decline'
  | 'review.ask'
  | 'review.upheld'
  | 'review.overturned'
  | 'moderator.add'
  | 'moderator.remove'
  | 'moderator.restore'
  | 'operator.remove'

/** @param by key of the acting member; null for a command or the server */
export async function recordModerationAct(
  db: Kysely<DatabaseTables>,
  act: ModerationLogAction,
  { by, caseKey = null, detail = {} }: { by: number | null; caseKey?: number | null; detail?: object },
): Promise<void> {
  await sql`
    insert into moderation_log (case_id, actor_id, act, detail)
    values (${caseKey}, ${by}, ${act}, ${JSON.stringify(detail)}::jsonb)`.execute(db)
}
