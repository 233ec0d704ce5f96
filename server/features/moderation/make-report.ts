/**
 * Makes reports: finds who looks at one, the case that it joins, and whether it is one that was made before. What its reporter is
 * told depends on what was chosen and on what was decided, and on nothing that stands between others.
 */
import { sql, type Transaction } from 'kysely'
import type {
  createReportOperation,
  ReportDesk,
  ReportReason,
  ReportSubjectKind,
} from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { generateId } from '../../ids.ts'
import {
  memberKeyParameter,
  whereGroupDeskReceivesReport,
  whereMemberMayRead,
  wherePostSharedWith,
} from '../../policy/index.ts'
import { captureReportEvidence, type ReportedSubject } from './capture-report-evidence.ts'
import { selectToldDecision } from './case-states.ts'
import { escalateCase, partCaseOfFormerAdmin } from './escalate-case.ts'

/** What is looked at first; the number of reports moves a case no further. */
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

/**
 * Makes a report of the caller's with its evidence. The same thing again at the same desk is the first report while that is open.
 * @returns its id
 * @throws Failure report_subject_not_found, report_self_not_allowed
 */
export async function makeReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  { subject, reason, note = '', messages = [], desk }: OperationInput<typeof createReportOperation>,
): Promise<string> {
  const found = await captureReportEvidence(db, me, subject, subject.kind === 'message' ? messages : [])
  const { chosen, taking } = desk
    ? { chosen: desk, taking: desk }
    : await findDesk(db, me, subject, found, reason)
  const severity = severityByReason[reason]
  // Wherever that is by now: who takes reports of it may be another since, or the case may have been passed on.
  for (let first = await findFirstReport(db, me, chosen, found); first; ) {
    if (await raiseSeverity(db, first.case_id, severity)) return addLaterEvidence(db, first, found)
    first = await findFirstReport(db, me, chosen, found)
  }
  const caseKey = await findOrOpenCase(db, subject, found, taking, severity)
  // Made at the same moment, by a request that held the case until now.
  const first = await findFirstReport(db, me, chosen, found, caseKey)
  return first
    ? addLaterEvidence(db, first, found)
    : insertReport(db, me, caseKey, { reason, note, desk: chosen, found })
}

type FirstReport = { id: number; public_id: string; case_id: number }

/**
 * Finds the caller's first report of the same thing at the same desk that is open as far as the caller was told. What it was about is
 * in its evidence, wherever the case has gone since. A post in another group and a group of another admin are other things.
 * @param within key of a case that alone is looked at
 */
async function findFirstReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  chosen: ReportDesk,
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
      and ${within === undefined ? sql`true` : sql`c.id = ${within}`} and not exists (${selectToldDecision})
    order by r.id limit 1`.execute(db)
  return rows[0]
}

/** Raises an open case to a severity, and locks it until the commit. @returns false where it was decided or passed on meanwhile */
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

/** What a group's admin looks at, of what is in the group. */
const reasonsForGroups: readonly ReportReason[] = ['spam', 'off-topic']

/**
 * Finds who looks at it: the admin of the post's group, unless the admin is part of it, does not read the post or would learn of a block;
 * else the moderators. Of a post that is not shared with the admin, who is in the group, what waits at the desk is the moderators' from
 * then on, with what it became since.
 * @returns `chosen`, which the reporter is told: it depends on nothing that stands between others, as who is `taking` it does
 */
async function findDesk(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  { kind, id }: { kind: ReportSubjectKind; id: string },
  { about, group }: ReportedSubject,
  reason: ReportReason,
): Promise<{ chosen: ReportDesk; taking: ReportDesk }> {
  const moderators = { chosen: 'moderators', taking: 'moderators' } as const
  if (kind !== 'post' || group === null || !reasonsForGroups.includes(reason)) return moderators
  const { rows } = await sql<{ takes: boolean; shared: boolean }>`
    select ${whereGroupDeskReceivesReport(memberKeyParameter(me.id), { group: 'g', post: 'p' })} as takes,
      ${wherePostSharedWith(sql.ref('g.admin_id'), 'p')} as shared
    from groups g join posts p on p.group_id = g.id
    where g.id = ${group} and p.public_id = ${id} and g.admin_id not in (${about}, ${me.id})`.execute(db)
  // Every member knows whose post and whose group it is.
  const [desk] = rows
  if (!desk) return moderators
  // Of a closed account's the sweep passes it on: done here, it would take longer than across a block.
  if (!desk.shared) await escalateOpenCases(db, { kind, id })
  return { chosen: 'group', taking: desk.takes ? 'group' : 'moderators' }
}

/** Moves the subject's open cases at desks of groups to the moderators. @param exceptGroup key of a group whose case stays */
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
 * Finds the open case of the subject, or opens one; its row is locked until the commit. A case at the desk of a group that the post has
 * left since is the moderators' from then on: it would keep reports of this group from its admin, and show them to another. One about who
 * administered a group before is about that member alone, who would be warned or suspended for what the group became.
 * @returns its key
 */
async function findOrOpenCase(
  db: Transaction<DatabaseTables>,
  { kind, id }: { kind: ReportSubjectKind; id: string },
  { about, group }: ReportedSubject,
  desk: ReportDesk,
  severity: number,
): Promise<number> {
  if (desk === 'group') await escalateOpenCases(db, { kind, id, exceptGroup: group })
  if (kind === 'group') await partCaseOfFormerAdmin(db, id, about)
  const { rows } = await sql<{ id: number }>`
    insert into moderation_cases as c (public_id, kind, subject_id, about_id, group_id, desk, severity)
    values (${generateId()}, ${kind}, ${id}, ${about}, ${group}, ${desk}, ${severity})
    on conflict (kind, subject_id, desk) where status = 'open'
    do update set severity = greatest(c.severity, excluded.severity), group_id = coalesce(c.group_id, excluded.group_id),
      about_id = coalesce(c.about_id, excluded.about_id)
    returning c.id`.execute(db)
  return (rows[0] as { id: number }).id
}

/** Adds a report to a case that the transaction holds. One reporter counts once. @returns its id */
async function insertReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  caseKey: number,
  {
    reason,
    note,
    desk,
    found,
  }: { reason: ReportReason; note: string; desk: ReportDesk; found: ReportedSubject },
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

/** How often what was reported is kept again as it became. */
const maxLaterStates = 3
/** The last position that evidence can have. */
const maxPosition = 104

/**
 * Keeps with a report, whose case the transaction holds, what has changed since: an innocent text may have become a threat. Not of
 * messages, of which the reporter chooses what is kept once. @returns the report's id
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
