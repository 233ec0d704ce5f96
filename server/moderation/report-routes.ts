/** Serves reports: making one, with what was there kept as evidence, and the caller's list of them. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  createReportOperation,
  listMyReportsOperation,
  type Report,
  type ReportDesk,
  type ReportReason,
  type ReportSubjectKind,
} from '#contract/moderation/reports.ts'
import type { AppContext } from '../app-context.ts'
import type { AuthenticatedMember } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { type ListedRow, toRowKeyPage } from '../pagination.ts'
import { memberKeyParameter, whereGroupDeskReceivesReport, whereMemberMayRead } from '../policy.ts'
import { registerRoute } from '../route.ts'
import { formatIsoTimestamp } from '../views/iso-timestamp.ts'
import { captureReportEvidence, type ReportedSubject } from './capture-report-evidence.ts'
import { escalateCase } from './escalate-case.ts'

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

export function registerReportRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    createReportOperation,
    async ({ subject, reason, note = '', messages = [], desk }, { me, store, database, config }) => {
      const id = await store.transact(async ({ db }) => {
        const found = await captureReportEvidence(db, me, subject, subject.kind === 'message' ? messages : [])
        const { chosen, taking } = desk
          ? { chosen: desk, taking: desk }
          : await findDesk(db, me, subject.kind, found, reason)
        const caseKey = await findOrOpenCase(db, subject, found, taking, severityByReason[reason])
        return insertReport(db, me, caseKey, { reason, note, desk: chosen, evidence: found.evidence })
      })
      const [report] = await selectReports(database.kysely, me, sql`r.public_id = ${id}`, 1)
      return {
        ...toReport(report ?? throwFailure('report_subject_not_found')),
        helpLines: config.helpLines,
      }
    },
  )

  registerRoute(
    app,
    context,
    listMyReportsOperation,
    async ({ cursor, limit = listPageSize }, { me, database }) => {
      const db = database.kysely
      const after = cursor === undefined ? null : await positionOf(db, me, cursor)
      const rows = await selectReports(
        db,
        me,
        after ? sql`(r.created_at, r.id) < (${after.created_at}, ${after.id})` : sql`true`,
        limit,
      )
      return { documents: rows.map(toReport), next: toRowKeyPage(rows, limit).next }
    },
  )
}

/** What a group's admin looks at, of what is in the group. */
const reasonsForGroups: readonly ReportReason[] = ['spam', 'off-topic']

/**
 * Finds who looks at it: the admin of the post's group, unless the admin is part of it or would learn of a block; else the moderators.
 * @returns `chosen`, which the reporter is told: it depends on nothing that stands between others, as who is `taking` it does
 */
async function findDesk(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  kind: ReportSubjectKind,
  { about, group }: ReportedSubject,
  reason: ReportReason,
): Promise<{ chosen: ReportDesk; taking: ReportDesk }> {
  const moderators = { chosen: 'moderators', taking: 'moderators' } as const
  if (kind !== 'post' || group === null || !reasonsForGroups.includes(reason)) return moderators
  const { rows } = await sql<{ takes: boolean }>`
    select ${whereGroupDeskReceivesReport(memberKeyParameter(me.id), 'g', sql`${about}::bigint`)} as takes
    from groups g where g.id = ${group} and g.admin_id not in (${about}, ${me.id})`.execute(db)
  // Every member knows whose post and whose group it is.
  if (!rows[0]) return moderators
  return { chosen: 'group', taking: rows[0].takes ? 'group' : 'moderators' }
}

/**
 * Finds the open case of the subject, or opens one; its row is locked until the commit. A case at the desk of a group that the post has
 * left since is the moderators' from then on: it would keep reports of this group from its admin, and show them to another.
 * @returns its key
 */
async function findOrOpenCase(
  db: Transaction<DatabaseTables>,
  { kind, id }: { kind: ReportSubjectKind; id: string },
  { about, group }: ReportedSubject,
  desk: ReportDesk,
  severity: number,
): Promise<number> {
  if (desk === 'group') {
    const { rows } = await sql<{ id: number }>`
      select c.id from moderation_cases c where c.kind = ${kind} and c.subject_id = ${id} and c.desk = 'group'
        and c.status = 'open' and c.group_id is distinct from ${group}`.execute(db)
    for (const left of rows) await escalateCase(db, left.id, null)
  }
  const { rows } = await sql<{ id: number }>`
    insert into moderation_cases as c (public_id, kind, subject_id, about_id, group_id, desk, severity)
    values (${generateId()}, ${kind}, ${id}, ${about}, ${group}, ${desk}, ${severity})
    on conflict (kind, subject_id, desk) where status = 'open'
    do update set severity = greatest(c.severity, excluded.severity), group_id = coalesce(c.group_id, excluded.group_id)
    returning c.id`.execute(db)
  return (rows[0] as { id: number }).id
}

/** Adds a report to a case that the transaction holds. One reporter counts once. @returns the id of the caller's report in that case */
async function insertReport(
  db: Transaction<DatabaseTables>,
  me: AuthenticatedMember,
  caseKey: number,
  {
    reason,
    note,
    desk,
    evidence,
  }: { reason: ReportReason; note: string; desk: ReportDesk; evidence: ReportedSubject['evidence'] },
): Promise<string> {
  const { rows: made } = await sql<{ id: number; public_id: string }>`
    insert into reports (public_id, case_id, reporter_id, reason, note, desk)
    values (${generateId()}, ${caseKey}, ${me.id}, ${reason}, ${note}, ${desk})
    on conflict on constraint reports_once do nothing returning id, public_id`.execute(db)
  const [report] = made
  if (!report) {
    const { rows } = await sql<{ public_id: string }>`
      select r.public_id from reports r
      where r.case_id = ${caseKey} and r.repeated = 0 and ${whereMemberMayRead(memberKeyParameter(me.id), 'reports', 'r')}`.execute(
      db,
    )
    return (rows[0] as { public_id: string }).public_id
  }
  for (const [position, { kind, snapshot, fileKey }] of evidence.entries()) {
    await sql`
      insert into evidence (report_id, position, kind, snapshot, file_id)
      values (${report.id}, ${position}, ${kind}, ${JSON.stringify(snapshot)}::jsonb, ${fileKey})`.execute(db)
  }
  return report.public_id
}

type ReportRow = ListedRow &
  Pick<Report, 'kind' | 'reason' | 'desk'> & {
    created_at: Date
    claimed: boolean
    decision: string | null
    overturned: boolean
  }

async function selectReports(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  which: ReturnType<typeof sql>,
  limit: number,
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select r.id, r.public_id, r.created_at, r.reason, c.kind, coalesce(r.desk, c.desk) as desk, c.claimed_by is not null as claimed, c.decision,
      exists (select from appeals a where a.case_id = c.id and a.outcome = 'overturned') as overturned
    from reports r join moderation_cases c on c.id = r.case_id
    where ${whereMemberMayRead(memberKeyParameter(me.id), 'reports', 'r')} and ${which}
    order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}

const toReport = ({
  public_id,
  created_at,
  kind,
  reason,
  desk,
  claimed,
  decision,
  overturned,
}: ReportRow): Report => ({
  $id: public_id,
  $createdAt: formatIsoTimestamp(created_at),
  kind,
  reason,
  desk,
  status: decision !== null ? 'decided' : claimed ? 'claimed' : 'received',
  outcome: decision === null ? null : decision === 'dismiss' || overturned ? 'no-breach' : 'acted',
})

/** Finds the place of a cursor among the caller's own. @throws Failure general_cursor_not_found */
async function positionOf(db: Kysely<DatabaseTables>, me: AuthenticatedMember, cursor: string) {
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select r.id, r.created_at from reports r
    where r.public_id = ${cursor} and ${whereMemberMayRead(memberKeyParameter(me.id), 'reports', 'r')}`.execute(
    db,
  )
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}
