import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import { createReportOperation, listMyReportsOperation, type Report } from '#contract/moderation/reports.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberMayRead } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { type ListedRow, toRowKeyPage } from '../../store/pagination.ts'
import { selectDecisionForReporter } from './case-states.ts'
import { createReport } from './create-report.ts'

export function registerReportRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    createReportOperation,
    async ({ subject, reason, note = '', messages = [], desk }, { me, store, database, config }) => {
      const id = await store.transact(({ db }) =>
        createReport(db, me, { subject, reason, note, messages, desk }),
      )
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

type ReportRow = ListedRow &
  Pick<Report, 'kind' | 'reason' | 'desk'> & {
    created_at: Date
    claimed: boolean
    decision: string | null
    overturned: boolean
  }

/** Admins cannot claim cases, so a report to a group must never show that a moderator has claimed it. */
async function selectReports(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  which: ReturnType<typeof sql>,
  limit: number,
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select r.id, r.public_id, r.created_at, r.reason, coalesce(e.kind, c.kind) as kind, coalesce(r.desk, c.desk) as desk,
      coalesce(r.desk, c.desk) = 'moderators' and c.claimed_by is not null as claimed, decided.decision,
      exists (select from appeals a where a.case_id = decided.id and a.outcome = 'overturned') as overturned
    from reports r join moderation_cases c on c.id = r.case_id
      left join evidence e on e.report_id = r.id and e.position = 0 left join lateral (${selectDecisionForReporter}) decided on true
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

async function positionOf(db: Kysely<DatabaseTables>, me: AuthenticatedMember, cursor: string) {
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select r.id, r.created_at from reports r
    where r.public_id = ${cursor} and ${whereMemberMayRead(memberKeyParameter(me.id), 'reports', 'r')}`.execute(
    db,
  )
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}
