import type { MemberClient } from '#api-client/member-client.ts'
import {
  claimCaseOperation,
  decideCaseOperation,
  unlockModerationOperation,
} from '#contract/moderation/cases.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { Database } from '#server/database/open-database.ts'
import { addModerator } from '#server/features/moderation/moderators.ts'
import { testPassword } from './world.ts'

type Subject = OperationInput<typeof createReportOperation>['subject']
type Reason = OperationInput<typeof createReportOperation>['reason']
export type TestDecision = Omit<OperationInput<typeof decideCaseOperation>, 'caseId'>

export async function appointModerator({ kysely, pool }: Database, who: MemberClient): Promise<void> {
  const { rows } = await pool.query('select username from users where public_id = $1', [who.id])
  await addModerator(kysely, rows[0].username, 'operator')
}

export async function appointModeratorOnDuty(database: Database, who: MemberClient): Promise<void> {
  await appointModerator(database, who)
  await who.call(unlockModerationOperation, { password: testPassword })
}

/** @returns the ids of the report and its case */
export async function reportSubject(
  { pool }: Database,
  reporter: MemberClient,
  subject: Subject,
  reason: Reason = 'harassment',
): Promise<{ reportId: string; caseId: string }> {
  const { $id } = await reporter.call(createReportOperation, { subject, reason })
  const { rows } = await pool.query(
    'select c.public_id as id from moderation_cases c join reports r on r.case_id = c.id where r.public_id = $1',
    [$id],
  )
  return { reportId: $id, caseId: rows[0].id }
}

export async function claimAndDecide(moderator: MemberClient, caseId: string, decision: TestDecision) {
  await moderator.call(claimCaseOperation, { caseId })
  return moderator.call(decideCaseOperation, { caseId, ...decision })
}

/** Stores a decided case about the member, and her appeal. */
export async function insertAppeal({ pool }: Database, member: MemberClient, text: string): Promise<void> {
  await pool.query(
    `with decided as (
       insert into moderation_cases (public_id, kind, subject_id, about_id, desk, severity, status, decision, decided_at)
       select 'appealed' || left(public_id, 20), 'member', public_id, id, 'moderators', 2, 'decided', 'warn', clock_timestamp()
       from users where public_id = $1 returning id
     ) insert into appeals (case_id, text) select id, $2 from decided`,
    [member.id, text],
  )
}
