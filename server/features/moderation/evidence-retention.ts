import { type Kysely, sql } from 'kysely'
import type { ModerationDecision } from '#contract/moderation/cases.ts'
import type { GroupCaseDecision } from '#contract/moderation/group-cases.ts'
import type { DatabaseTables } from '../../database/schema.ts'

type FinalDecision = ModerationDecision | Exclude<GroupCaseDecision, 'pass-on'>

const keptAfter: Record<FinalDecision, string> = {
  dismiss: '90 days',
  hide: '24 months',
  warn: '24 months',
  suspend: '24 months',
  'take-out': '24 months',
  'remove-member': '24 months',
}

/** The decision defines how long the evidence of the case is kept. */
export async function keepEvidenceAfter(
  db: Kysely<DatabaseTables>,
  caseKey: number,
  decision: FinalDecision,
): Promise<void> {
  await sql`
    update evidence e set kept_until = clock_timestamp() + ${keptAfter[decision]}::interval
    from reports r where e.report_id = r.id and r.case_id = ${caseKey}`.execute(db)
}
