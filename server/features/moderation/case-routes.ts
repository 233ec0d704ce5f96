/** These routes serve only moderators who re-authenticated recently. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  claimCaseOperation,
  confirmSuspensionOperation,
  decideAppealOperation,
  decideCaseOperation,
  declineSuspensionOperation,
  getCaseOperation,
  getEvidencePictureOperation,
  listCasesOperation,
  type ModerationCase,
  type ModerationCaseSummary,
  type moderationCaseTabs,
  releaseCaseOperation,
  unlockModerationOperation,
} from '#contract/moderation/cases.ts'
import type { ReportReason, ReportSubjectKind } from '#contract/moderation/reports.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  whereAccessRuleAllows,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { type ListedRow, toRowKeyPage } from '../../store/pagination.ts'
import { whereCaseIsClaimed } from './case-states.ts'
import { confirmSuspension, decideCase, declineSuspension } from './decide-case.ts'
import { recordModerationAct } from './moderation-log.ts'
import { assertModeratorReauthenticated, reauthenticateModerator } from './moderator-reauthentication.ts'
import { decideAppeal } from './notice-and-appeal-routes.ts'
import { readEvidence, selectNumberedReportsOfCase, sendEvidencePicture } from './read-case-evidence.ts'

/** The reasons in order of severity. Lists show only a case's most severe reason. */
const reasonsByGravity: readonly ReportReason[] = [
  ...(['threat', 'intimate', 'minor', 'self-harm', 'harassment', 'hate', 'impersonation'] as const),
  ...(['spam', 'off-topic', 'other'] as const),
]

type Tab = (typeof moderationCaseTabs)[number]

export function registerModerationCaseRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, unlockModerationOperation, async ({ password }, ctx) => ({
    until: formatIsoTimestamp(await reauthenticateModerator(ctx, password)),
  }))

  registerRoute(
    app,
    context,
    listCasesOperation,
    async ({ tab = 'open', cursor, limit = listPageSize }, ctx) => {
      const until = await assertModeratorReauthenticated(ctx)
      const { me, database } = ctx
      const after = cursor === undefined ? null : await positionOf(database.kysely, me, cursor)
      const rows = await selectCases(
        database.kysely,
        me,
        sql`${tabCondition(tab, me)} ${after ? sql`and ${isAfter(tab, after)}` : sql``}`,
        tab,
        limit,
      )
      return {
        documents: rows.map(toSummary),
        next: toRowKeyPage(rows, limit).next,
        counts: await countCases(database.kysely, me),
        until: formatIsoTimestamp(until),
      }
    },
  )

  registerRoute(app, context, getCaseOperation, async ({ caseId }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    return readCase(ctx.database.kysely, ctx.me, caseId)
  })

  registerRoute(app, context, getEvidencePictureOperation, async ({ caseId, place }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    const [found] = await selectCases(ctx.database.kysely, ctx.me, sql`c.public_id = ${caseId}`, 'open', 1)
    await sendEvidencePicture(ctx, found ?? throwFailure('case_not_found'), place)
  })

  registerRoute(app, context, claimCaseOperation, async ({ caseId }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    const { me, store, database } = ctx
    await store.transact(async ({ db }) => {
      const { rows } = await sql<{ id: number }>`
        update moderation_cases c set claimed_by = ${me.id},
          claimed_at = case when c.claimed_by = ${me.id} and ${whereCaseIsClaimed('c')} then c.claimed_at else clock_timestamp() end
        where c.public_id = ${caseId} and c.status = 'open' and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'moderation_cases', 'c')}
          and (c.claimed_by = ${me.id} or not ${whereCaseIsClaimed('c')})
        returning c.id`.execute(db)
      const [claimed] = rows
      if (claimed) return recordModerationAct(db, 'claim', { by: me.id, caseKey: claimed.id })
      const [found] = await selectCases(db, me, sql`c.public_id = ${caseId}`, 'open', 1)
      if (!found) return throwFailure('case_not_found')
      return throwFailure(found.status === 'decided' ? 'case_decided' : 'case_claimed')
    })
    return readCase(database.kysely, me, caseId)
  })

  registerRoute(app, context, releaseCaseOperation, async ({ caseId }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    const { me, store, database } = ctx
    await store.transact(async ({ db }) => {
      const { rows } = await sql<{ id: number }>`
        update moderation_cases c set claimed_by = null, claimed_at = null
        where c.public_id = ${caseId} and c.status = 'open' and c.claimed_by = ${me.id}
          and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'moderation_cases', 'c')}
        returning c.id`.execute(db)
      if (rows[0]) await recordModerationAct(db, 'release', { by: me.id, caseKey: rows[0].id })
    })
    return readCase(database.kysely, me, caseId)
  })

  registerRoute(app, context, decideAppealOperation, async (given, ctx) => {
    await assertModeratorReauthenticated(ctx)
    await decideAppeal(ctx, given)
    return readCase(ctx.database.kysely, ctx.me, given.caseId)
  })

  registerRoute(app, context, decideCaseOperation, async ({ caseId, ...decision }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    await decideCase(ctx, caseId, decision)
    return readCase(ctx.database.kysely, ctx.me, caseId)
  })

  registerRoute(app, context, declineSuspensionOperation, async ({ caseId, proposalId }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    await declineSuspension(ctx, caseId, proposalId)
    return readCase(ctx.database.kysely, ctx.me, caseId)
  })

  registerRoute(app, context, confirmSuspensionOperation, async ({ caseId, proposalId }, ctx) => {
    await assertModeratorReauthenticated(ctx)
    await confirmSuspension(ctx, caseId, proposalId)
    return readCase(ctx.database.kysely, ctx.me, caseId)
  })
}

type CaseRow = ListedRow & {
  created_at: Date
  decided_at: Date | null
  kind: ReportSubjectKind
  severity: number
  report_count: number
  status: 'open' | 'decided'
  claimed: 'me' | 'other' | null
  decision: string | null
  about: ModerationCase['about']
  about_id: number | null
  text: string | null
  reason: ReportReason
  snapshot: Snapshot | null
  further: number
  deleted_at: Date | null
  claimed_until: Date | null
  suspends_alone: boolean
  proposal: ModerationCaseSummary['proposal']
}

type Snapshot = { caption?: string; content?: string; name?: string; group?: { name: string } | null }

const tabCondition = (tab: Tab, me: AuthenticatedMember): RawBuilder<unknown> =>
  ({
    open: sql`c.status = 'open'`,
    mine: sql`c.status = 'open' and c.claimed_by = ${me.id} and ${whereCaseIsClaimed('c')}`,
    decided: sql`c.status = 'decided'`,
    reviews: sql`exists (select from appeals a where a.case_id = c.id and a.outcome is null)`,
  })[tab]

const isOfDecided = (tab: Tab) => tab === 'decided' || tab === 'reviews'

/** Open cases are sorted by severity and age, decided cases newest first. */
const isAfter = (tab: Tab, at: CaseRow): RawBuilder<unknown> =>
  isOfDecided(tab)
    ? sql`(c.decided_at, c.id) < (${at.decided_at}, ${at.id})`
    : sql`(-c.severity, c.created_at, c.id) > (${-at.severity}, ${at.created_at}, ${at.id})`
const orderOf = (tab: Tab): RawBuilder<unknown> =>
  isOfDecided(tab) ? sql`c.decided_at desc, c.id desc` : sql`c.severity desc, c.created_at, c.id`

async function selectCases(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  which: RawBuilder<unknown>,
  tab: Tab,
  limit: number,
): Promise<CaseRow[]> {
  const asMe = memberKeyParameter(me.id)
  const mayConfirm = whereMemberHasAbility(asMe, 'confirmSuspension', 'moderation_cases', 'c')
  const { rows } = await sql<CaseRow>`
    select c.id, c.public_id, c.created_at, c.decided_at, c.kind, c.severity, c.status, c.decision, c.about_id, c.reason as text,
      c.subject_deleted_at as deleted_at, c.claimed_at + interval '30 minutes' as claimed_until,
      gravest.reason, first_evidence.snapshot, first_evidence.further,
      (select count(*)::int from reports cr where cr.case_id = c.id and cr.repeated = 0) as report_count,
      case when c.status = 'open' and ${whereCaseIsClaimed('c')} then case c.claimed_by when ${me.id} then 'me' else 'other' end end as claimed,
      case when u.id is not null then jsonb_build_object('$id', u.public_id, 'name', u.name, 'username', u.username) end as about,
      ${whereMemberHasAbility(asMe, 'suspendAlone', 'moderation_cases', 'c')} as suspends_alone,
      case when c.status = 'open' and (p.proposed_by = ${me.id} or ${mayConfirm}) then jsonb_build_object('$id', p.public_id,
        'by', case p.proposed_by when ${me.id} then 'me' else 'other' end, 'days', p.days, 'text', p.text,
        'proposedAt', p.created_at, 'can', jsonb_build_object('confirm', ${mayConfirm})) end as proposal
    from moderation_cases c left join users u on u.id = c.about_id left join suspension_proposals p on p.case_id = c.id
    left join lateral (
      select r.reason from reports r where r.case_id = c.id
      order by array_position(${reasonsByGravity}::text[], r.reason), r.id limit 1
    ) gravest on true
    left join lateral (
      select e.snapshot, (select count(*)::int - 1 from evidence m where m.report_id = r.id) as further
      from reports r join evidence e on e.report_id = r.id where r.case_id = c.id order by r.id, e.position limit 1
    ) first_evidence on true
    where ${whereMemberMayRead(asMe, 'moderation_cases', 'c')} and ${which}
    order by ${orderOf(tab)} limit ${limit}`.execute(db)
  return rows
}

async function positionOf(db: Kysely<DatabaseTables>, me: AuthenticatedMember, cursor: string) {
  const [row] = await selectCases(db, me, sql`c.public_id = ${cursor}`, 'open', 1)
  return row ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}

const toSummary = (row: CaseRow): ModerationCaseSummary => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  kind: row.kind,
  severity: row.severity,
  reportCount: row.report_count,
  status: row.status,
  claimed: row.claimed,
  decision: row.decision,
  reason: row.reason,
  about: row.about,
  excerpt:
    row.snapshot?.caption ??
    row.snapshot?.content ??
    (row.kind === 'group' ? row.snapshot?.name : null) ??
    null,
  group: row.snapshot?.group?.name ?? null,
  furtherMessages: row.kind === 'message' ? (row.further ?? 0) : 0,
  deletedAt: row.deleted_at && formatIsoTimestamp(row.deleted_at),
  proposal: row.proposal && {
    ...row.proposal,
    proposedAt: formatIsoTimestamp(new Date(row.proposal.proposedAt)),
  },
})

/** Counts only cases that the moderator may decide. */
async function countCases(db: Kysely<DatabaseTables>, me: AuthenticatedMember) {
  const { rows } = await sql<{ open: number; reviews: number }>`
    select count(*) filter (where ${tabCondition('open', me)})::int as open,
      count(*) filter (where ${tabCondition('reviews', me)})::int as reviews
    from moderation_cases c
    where ${whereMemberMayRead(memberKeyParameter(me.id), 'moderation_cases', 'c')}
      and (${tabCondition('open', me)} or ${tabCondition('reviews', me)})`.execute(db)
  return rows[0] ?? { open: 0, reviews: 0 }
}

async function readCase(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  caseId: string,
): Promise<ModerationCase> {
  const [found] = await selectCases(db, me, sql`c.public_id = ${caseId}`, 'open', 1)
  if (!found) return throwFailure('case_not_found')
  const { rows: reports } = await sql<{
    number: number
    created_at: Date
    reason: ReportReason
    note: string
    reports: number
    upheld: number
  }>`
    select r.number, r.created_at, r.reason, r.note, coalesce(record.reports, 0) as reports, coalesce(record.upheld, 0) as upheld
    from (${selectNumberedReportsOfCase(found.id)}) r left join lateral (
      select count(*)::int as reports, count(*) filter (where rc.decision <> 'dismiss')::int as upheld
      from reports other join moderation_cases rc on rc.id = other.case_id
      where other.reporter_id = r.reporter_id and other.repeated = 0
    ) record on true order by r.number`.execute(db)
  const evidence = await readEvidence(db, found.id)
  const { rows: earlier } = await sql<{ decision: string; decided_at: Date }>`
    select c.decision, c.decided_at from moderation_cases c
    where c.about_id = ${found.about_id} and c.id <> ${found.id} and c.status = 'decided'
      and ${whereMemberMayRead(memberKeyParameter(me.id), 'moderation_cases', 'c')}
    order by c.decided_at desc limit 20`.execute(db)
  const { rows: reviews } = await sql<
    Omit<NonNullable<ModerationCase['review']>, 'askedAt'> & { askedAt: Date }
  >`
    select a.text, a.created_at as "askedAt", a.outcome, jsonb_build_object('decide',
      a.outcome is null and ${whereMemberHasAbility(memberKeyParameter(me.id), 'review', 'moderation_cases', 'c')}) as can
    from appeals a join moderation_cases c on c.id = a.case_id where a.case_id = ${found.id}`.execute(db)
  const { rows: log } = await sql<{ act: string; created_at: Date; by: 'me' | 'other' | null }>`
    select l.act, l.created_at, case when l.actor_id = ${me.id} then 'me' when l.actor_id is not null then 'other' end as by
    from moderation_log l where l.case_id = ${found.id} order by l.id limit 100`.execute(db)
  return {
    ...toSummary(found),
    text: found.text,
    can: { suspendAlone: found.suspends_alone },
    claimedUntil:
      found.claimed === 'me' && found.claimed_until ? formatIsoTimestamp(found.claimed_until) : null,
    review: reviews[0] ? { ...reviews[0], askedAt: formatIsoTimestamp(reviews[0].askedAt) } : null,
    reports: reports.map(({ number, created_at, reason, note, reports: made, upheld }) => ({
      number,
      $createdAt: formatIsoTimestamp(created_at),
      reason,
      note,
      evidence: evidence.filter(({ place }) => place.startsWith(`${number}-`)),
      reporter: { reports: made, upheld },
    })),
    earlier: earlier.map(({ decision, decided_at }) => ({
      decision,
      decidedAt: formatIsoTimestamp(decided_at),
    })),
    log: log.map(({ act, created_at, by }) => ({ act, at: formatIsoTimestamp(created_at), by })),
  }
}
