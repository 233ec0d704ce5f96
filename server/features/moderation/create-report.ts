/** A reporter's view depends only on their choice and on decisions, never on relations between others. */
import { sql, type Transaction } from 'kysely'
import type {
  createReportOperation,
  ReportReason,
  ReportSubjectKind,
  ReviewQueue,
} from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { generateId } from '../../ids.ts'
import {
  memberKeyParameter,
  whereGroupQueueReceivesReport,
  whereMemberMayRead,
  wherePostSharedWith,
} from '../../policy/index.ts'
import { captureReportEvidence, type ReportedSubject } from './capture-report-evidence.ts'
import { selectDecisionForReporter } from './case-states.ts'
import { escalateCase, makeCaseAboutFormerAdmin } from './escalate-case.ts'

/** Many reports do not raise the severity. */
const severityByReason: Record<ReportReason, 1 | 2 | 3> = {
  intimate: 3,
  threat: 3,
  minor: 3,
  'self-harm': 3,
  harassment: 2,
  hate: 2,
  impersonation: 2,
  spam: 1,
  'off-topic': 1,
  other: 1,
}

/** While the first report is open, a repeated report to the same queue returns the first one. */
export async function createReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  { subject, reason, note = '', messages = [], desk }: OperationInput<typeof createReportOperation>,
): Promise<string> {
  const found = await captureReportEvidence(db, me, subject, subject.kind === 'message' ? messages : [])
  const { chosen, taking } = desk
    ? { chosen: desk, taking: desk }
    : await findReviewQueue(db, me, subject, found, reason)
  const severity = severityByReason[reason]
  // The responsible person changed or the case was escalated, so the first report may be in another queue.
  for (let first = await findFirstReport(db, me, chosen, found); first; ) {
    if (await raiseSeverity(db, first.case_id, severity)) return addLaterEvidence(db, first, found)
    first = await findFirstReport(db, me, chosen, found)
  }
  const caseKey = await findOrOpenCase(db, subject, found, taking, severity)
  // A concurrent request of the same reporter was first.
  const first = await findFirstReport(db, me, chosen, found, caseKey)
  return first
    ? addLaterEvidence(db, first, found)
    : insertReport(db, me, caseKey, { reason, note, desk: chosen, found })
}

type FirstReport = { id: number; public_id: string; case_id: number }

/**
 * Finds a report that the caller sees as open, even if it moved to another case.
 * A post in another group, or a group with another admin, is another subject.
 * @param within key of the only case to search
 */
async function findFirstReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  chosen: ReviewQueue,
  { about, evidence: [reported] }: ReportedSubject,
  within?: number,
): Promise<FirstReport | undefined> {
  const now = sql`${JSON.stringify(reported?.snapshot)}::jsonb`
  const { rows } = await sql<FirstReport>`
    select r.id, r.public_id, r.case_id
    from reports r join moderation_cases c on c.id = r.case_id join evidence e on e.report_id = r.id and e.position = 0
    where ${whereMemberMayRead(memberKeyParameter(me.id), 'reports', 'r')} and c.status = 'open'
      and coalesce(r.desk, c.desk) = ${chosen} and c.about_id is not distinct from ${about}
      and e.kind = ${reported?.kind} and e.snapshot ->> 'id' = ${now} ->> 'id'
      and (${chosen} = 'moderators' or e.snapshot #>> '{group,id}' = ${now} #>> '{group,id}')
      and ${within === undefined ? sql`true` : sql`c.id = ${within}`} and not exists (${selectDecisionForReporter})
    order by r.id limit 1`.execute(db)
  return rows[0]
}

async function raiseSeverity(
  db: Transaction<DatabaseTables>,
  caseKey: number,
  severity: number,
): Promise<boolean> {
  const { rows } = await sql`
    update moderation_cases c set severity = greatest(c.severity, ${severity})
    where c.id = ${caseKey} and c.status = 'open' returning c.id`.execute(db)
  return rows.length > 0
}

const reasonsForGroups: readonly ReportReason[] = ['spam', 'off-topic']

/**
 * Chooses the review queue. The moderators review the report if the admin is involved, cannot read the post,
 * or would learn of a block. If the admin no longer shares the post's group, its open cases also move to the
 * moderators.
 * @returns `chosen`, which the reporter sees and which depends only on public facts, and `taking`, the queue
 * that receives the report
 */
async function findReviewQueue(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  { kind, id }: { kind: ReportSubjectKind; id: string },
  { about, group }: ReportedSubject,
  reason: ReportReason,
): Promise<{ chosen: ReviewQueue; taking: ReviewQueue }> {
  const moderators = { chosen: 'moderators', taking: 'moderators' } as const
  if (kind !== 'post' || group === null || !reasonsForGroups.includes(reason)) return moderators
  const { rows } = await sql<{ takes: boolean; shared: boolean }>`
    select ${whereGroupQueueReceivesReport(memberKeyParameter(me.id), { group: 'g', post: 'p' })} as takes,
      ${wherePostSharedWith(sql.ref('g.admin_id'), 'p')} as shared
    from groups g join posts p on p.group_id = g.id
    where g.id = ${group} and p.public_id = ${id} and g.admin_id not in (${about}, ${me.id})`.execute(db)
  const [found] = rows
  if (!found) return moderators
  // The sweep escalates the cases of closed accounts.
  // Escalating them here would take longer, and the reporter could tell a closed account from a block.
  if (!found.shared) await escalateOpenCases(db, { kind, id })
  return { chosen: 'group', taking: found.takes ? 'group' : 'moderators' }
}

async function escalateOpenCases(
  db: Transaction<DatabaseTables>,
  { kind, id, exceptGroup }: { kind: ReportSubjectKind; id: string; exceptGroup?: number | null },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select c.id from moderation_cases c where c.kind = ${kind} and c.subject_id = ${id} and c.desk = 'group'
      and c.status = 'open' and ${exceptGroup === undefined ? sql`true` : sql`c.group_id is distinct from ${exceptGroup}`}`.execute(
    db,
  )
  for (const left of rows) await escalateCase(db, left.id, null)
}

/**
 * If the post has left a group, that group's case moves to the moderators: its admin must not see later
 * reports.
 * If the group's admin changed, the old case becomes one about the former admin, who must not be warned for
 * later content.
 * @returns the key of the case, which stays locked until the commit
 */
async function findOrOpenCase(
  db: Transaction<DatabaseTables>,
  { kind, id }: { kind: ReportSubjectKind; id: string },
  { about, group }: ReportedSubject,
  desk: ReviewQueue,
  severity: number,
): Promise<number> {
  if (desk === 'group') await escalateOpenCases(db, { kind, id, exceptGroup: group })
  if (kind === 'group') await makeCaseAboutFormerAdmin(db, id, about)
  const { rows } = await sql<{ id: number }>`
    insert into moderation_cases as c (public_id, kind, subject_id, about_id, group_id, desk, severity)
    values (${generateId()}, ${kind}, ${id}, ${about}, ${group}, ${desk}, ${severity})
    on conflict (kind, subject_id, desk) where status = 'open'
    do update set severity = greatest(c.severity, excluded.severity), group_id = coalesce(c.group_id, excluded.group_id),
      about_id = coalesce(c.about_id, excluded.about_id)
    returning c.id`.execute(db)
  return (rows[0] as { id: number }).id
}

/** Adds the report. Each reporter counts once. The case must be locked. */
async function insertReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  caseKey: number,
  {
    reason,
    note,
    desk,
    found,
  }: { reason: ReportReason; note: string; desk: ReviewQueue; found: ReportedSubject },
): Promise<string> {
  const { rows } = await sql<{ id: number; public_id: string }>`
    insert into reports (public_id, case_id, reporter_id, reason, note, desk, repeated)
    select ${generateId()}, ${caseKey}, ${me.id}, ${reason}, ${note}, ${desk}, count(*)
    from reports other where other.case_id = ${caseKey} and other.reporter_id = ${me.id}
    returning id, public_id`.execute(db)
  const report = rows[0] as { id: number; public_id: string }
  await insertEvidence(db, report.id, 0, found.evidence)
  return report.public_id
}

/** Evidence keeps this many later versions. */
const maxLaterStates = 3
/** The highest position of an evidence item in a report. */
const maxPosition = 104

/**
 * A harmless text may have become a threat.
 * Messages are not added, because the reporter chooses them once.
 */
async function addLaterEvidence(
  db: Transaction<DatabaseTables>,
  { id, public_id }: FirstReport,
  { evidence }: ReportedSubject,
): Promise<string> {
  if (evidence[0]?.kind === 'message') return public_id
  const { rows: kept } = await sql<{ states: number; last: number; unchanged: boolean[] }>`
    select count(*) filter (where e.snapshot -> 'photo' is null)::int as states, max(e.position) as last, array(
        select exists (select from evidence before where before.report_id = ${id} and before.snapshot = item)
        from jsonb_array_elements(${JSON.stringify(evidence.map(({ snapshot }) => snapshot))}::jsonb) with ordinality as now (item, n)
        order by n
      ) as unchanged
    from evidence e where e.report_id = ${id}`.execute(db)
  const { states, last, unchanged } = kept[0] as { states: number; last: number; unchanged: boolean[] }
  const changed = evidence.filter((_, n) => !unchanged[n])
  if (states <= maxLaterStates && last + changed.length <= maxPosition)
    await insertEvidence(db, id, last + 1, changed)
  return public_id
}

async function insertEvidence(
  db: Transaction<DatabaseTables>,
  reportKey: number,
  from: number,
  evidence: ReportedSubject['evidence'],
): Promise<void> {
  for (const [n, { kind, snapshot, fileKey }] of evidence.entries())
    await sql`
      insert into evidence (report_id, position, kind, snapshot, file_id)
      values (${reportKey}, ${from + n}, ${kind}, ${JSON.stringify(snapshot)}::jsonb, ${fileKey})`.execute(db)
}
