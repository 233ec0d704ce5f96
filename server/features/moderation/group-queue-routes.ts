import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  decideGroupCaseOperation,
  type GroupCase,
  type GroupCaseDecision,
  type GroupCaseSummary,
  getGroupCaseOperation,
  getGroupCasePictureOperation,
  listGroupCasesOperation,
} from '#contract/moderation/group-cases.ts'
import type { ReportReason } from '#contract/moderation/reports.ts'
import type { AppContext } from '../../app-context.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberHasAbility, whereWasGroupMember } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { systemActor } from '../../store/actor.ts'
import { type ListedRow, toRowKeyPage } from '../../store/pagination.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { escalateCase } from './escalate-case.ts'
import { keepEvidenceAfter } from './evidence-retention.ts'
import { recordModerationAct } from './moderation-log.ts'
import { readEvidence, sendEvidencePicture } from './read-case-evidence.ts'

export function registerGroupQueueRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listGroupCasesOperation,
    async ({ groupId, cursor, limit = listPageSize }, { me, database }) => {
      const db = database.kysely
      await assertGroupAdmin(db, me.id, groupId)
      const after = cursor === undefined ? null : await positionOf(db, me.id, groupId, cursor)
      const rows = await selectGroupCases(
        db,
        me.id,
        groupId,
        sql`c.status = 'open' ${after ? sql`and (c.created_at, c.id) > (${after.created_at}, ${after.id})` : sql``}`,
        limit,
      )
      return { documents: rows.map(toSummary), next: toRowKeyPage(rows, limit).next }
    },
  )

  registerRoute(app, context, getGroupCaseOperation, async ({ groupId, caseId }, { me, database }) => {
    const found = await findGroupCase(database.kysely, me.id, groupId, caseId)
    return readGroupCase(database.kysely, me.id, found)
  })

  registerRoute(app, context, getGroupCasePictureOperation, async ({ groupId, caseId, place }, ctx) => {
    const found = await findGroupCase(ctx.database.kysely, ctx.me.id, groupId, caseId)
    await sendEvidencePicture(ctx, found, place, { admin: ctx.me.id, group: found.group_id })
  })

  registerRoute(app, context, decideGroupCaseOperation, async ({ groupId, caseId, decision, text }, ctx) => {
    const { me, store, live } = ctx
    await store.transact(async (tx) => {
      // Concurrent handovers, leaves and decisions wait for this lock.
      await tx.lock('groups', groupId)
      const found = await findGroupCase(tx.db, me.id, groupId, caseId)
      if (found.status === 'decided') throwFailure('case_decided')
      if (decision === 'pass-on') await escalateCase(tx.db, found.id, me.id)
      else await decide(tx, me.id, found, { decision, text: text || null })
    })
    live.notify([])
  })
}

type Decided = { decision: Exclude<GroupCaseDecision, 'pass-on'>; text: string | null }

async function decide(
  tx: StoreTransaction,
  me: number,
  found: GroupCaseRow,
  { decision, text }: Decided,
): Promise<void> {
  // The post is locked before the case, as when a report is made.
  if (decision !== 'dismiss') await takeOutOfGroup(tx, found)
  if (decision === 'remove-member') await removeAuthor(tx, me, found)
  const { rows } = await sql`
    update moderation_cases c set status = 'decided', decision = ${decision}, reason = ${text},
      decided_by = ${me}, decided_at = clock_timestamp()
    where c.id = ${found.id} and c.status = 'open' and c.desk = 'group' returning c.id`.execute(tx.db)
  if (rows.length === 0) throwFailure('case_decided')
  await keepEvidenceAfter(tx.db, found.id, decision)
  await recordModerationAct(tx.db, decision, { by: me, caseKey: found.id, detail: { text } })
}

/** Does nothing if the post was deleted, moved or hidden before. */
async function takeOutOfGroup(tx: StoreTransaction, { subject_id, group_id }: GroupCaseRow): Promise<void> {
  await tx.lock('posts', subject_id)
  const { rows } = await sql`
    select from posts p where p.public_id = ${subject_id} and p.group_id = ${group_id} and p.hidden_by is null`.execute(
    tx.db,
  )
  if (rows.length > 0)
    await tx.update(systemActor, 'posts', subject_id, {
      hidden_by: 'group',
      hidden_at: sql`clock_timestamp()`,
    })
}

async function removeAuthor(tx: StoreTransaction, me: number, { id }: GroupCaseRow): Promise<void> {
  const { rows } = await sql<{ public_id: string }>`
    select m.public_id from moderation_cases c join group_members m on m.group_id = c.group_id and m.user_id = c.about_id
    where c.id = ${id} and ${whereMemberHasAbility(memberKeyParameter(me), 'remove', 'group_members', 'm')}`.execute(
    tx.db,
  )
  if (rows[0]) await tx.remove(me, 'groupMembers', rows[0].public_id)
}

type GroupCaseRow = ListedRow & {
  created_at: Date
  status: 'open' | 'decided'
  decision: GroupCase['decision']
  text: string | null
  subject_id: string
  subject_deleted_at: Date | null
  about_id: number
  group_id: number
  about: GroupCase['about']
  reason: ReportReason
  report_count: number
  caption: string | null
  in_group: boolean
  is_member: boolean
}

async function selectGroupCases(
  db: Kysely<DatabaseTables>,
  me: number,
  groupId: string,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<GroupCaseRow[]> {
  const { rows } = await sql<GroupCaseRow>`
    select c.id, c.public_id, c.created_at, c.status, c.decision, c.reason as text, c.subject_id, c.subject_deleted_at,
      c.about_id, c.group_id, said.reason, said.report_count, first_evidence.caption,
      jsonb_build_object('$id', u.public_id, 'name', u.name, 'username', u.username) as about,
      exists (select from posts p where p.public_id = c.subject_id and p.group_id = c.group_id and p.hidden_by is null) as in_group,
      exists (select from group_members m where m.group_id = c.group_id and m.user_id = c.about_id) as is_member
    from moderation_cases c join groups g on g.id = c.group_id join users u on u.id = c.about_id
    cross join lateral (
      select mode() within group (order by r.reason) as reason, count(*) filter (where r.repeated = 0)::int as report_count
      from reports r where r.case_id = c.id
    ) said
    left join lateral (
      select e.snapshot ->> 'caption' as caption from reports r join evidence e on e.report_id = r.id
      where r.case_id = c.id and ${whereWasGroupMember(memberKeyParameter(me), sql.ref('c.group_id'), sql.ref('e.created_at'))}
      order by r.id, e.position limit 1
    ) first_evidence on true
    where g.public_id = ${groupId} and c.desk = 'group' and ${whereMemberHasAbility(memberKeyParameter(me), 'decideForGroup', 'moderation_cases', 'c')}
      and ${which}
    order by c.created_at, c.id limit ${limit}`.execute(db)
  return rows
}

async function findGroupCase(
  db: Kysely<DatabaseTables>,
  me: number,
  groupId: string,
  caseId: string,
): Promise<GroupCaseRow> {
  const [found] = await selectGroupCases(db, me, groupId, sql`c.public_id = ${caseId}`, 1)
  return found ?? throwFailure('case_not_found')
}

async function positionOf(db: Kysely<DatabaseTables>, me: number, groupId: string, cursor: string) {
  const [row] = await selectGroupCases(db, me, groupId, sql`c.public_id = ${cursor}`, 1)
  return row ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}

/** Only the admin may know that a review queue exists. */
async function assertGroupAdmin(db: Kysely<DatabaseTables>, me: number, groupId: string): Promise<void> {
  const { rows } = await sql`
    select from groups g
    where g.public_id = ${groupId} and ${whereMemberHasAbility(memberKeyParameter(me), 'decide', 'groups', 'g')}`.execute(
    db,
  )
  if (rows.length === 0) throwFailure('case_not_found')
}

const toSummary = (row: GroupCaseRow): GroupCaseSummary => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  reason: row.reason,
  reportCount: row.report_count,
  about: row.about,
  excerpt: row.caption ?? '',
  postId: row.in_group ? row.subject_id : null,
  deletedAt: row.subject_deleted_at && formatIsoTimestamp(row.subject_deleted_at),
})

async function readGroupCase(
  db: Kysely<DatabaseTables>,
  me: number,
  found: GroupCaseRow,
): Promise<GroupCase> {
  const { rows: notes } = await sql<{ note: string }>`
    select r.note from reports r where r.case_id = ${found.id} and r.note <> ''
      and ${whereWasGroupMember(memberKeyParameter(me), sql`${found.group_id}::bigint`, sql.ref('r.created_at'))}
    order by r.note limit 100`.execute(db)
  return {
    ...toSummary(found),
    decision: found.decision,
    text: found.text,
    evidence: await readEvidence(db, found.id, { admin: me, group: found.group_id }),
    notes: notes.map(({ note }) => note),
    can: { decide: found.status === 'open', removeMember: found.status === 'open' && found.is_member },
  }
}
