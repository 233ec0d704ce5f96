import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { decideAppealOperation } from '#contract/moderation/cases.ts'
import {
  appealDecisionOperation,
  appealSuspensionAfterSecondStepOperation,
  appealSuspensionOperation,
  listModerationNoticesOperation,
  type ModerationNotice,
  markModerationNoticeReadOperation,
} from '#contract/moderation/moderation-notices-and-appeals.ts'
import type { ReportSubjectKind } from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { AppContext } from '../../app-context.ts'
import { readBrowserCookie } from '../../auth/known-browsers.ts'
import { isSecondStepRequired } from '../../auth/session.ts'
import { findSuspension, liftSuspensions } from '../../auth/suspended-and-closed-accounts.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import {
  memberKeyParameter,
  whereAccessRuleAllows,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { systemActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { verifyAccountPassword } from '../account/session-routes.ts'
import {
  giveBackSuspendedGroups,
  lockAccountsOfSuspension,
  lockGroupsOfSuspension,
  moveHandoversToCase,
} from '../groups/group-succession.ts'
import { recordModerationAct } from './moderation-log.ts'

const maxListedNotices = 20

export function registerAppealRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, listModerationNoticesOperation, async (_input, { me, database }) => {
    const asMe = memberKeyParameter(me.id)
    const { rows } = await sql<Omit<ModerationNotice, '$createdAt'> & { created_at: Date }>`
      select n.public_id as "$id", n.created_at, n.kind, n.text, c.public_id as "caseId", c.kind as about,
        (select jsonb_build_object('$id', p.public_id, 'caption', p.caption) from posts p
          where c.kind = 'post' and p.public_id = c.subject_id and ${whereMemberMayRead(asMe, 'posts', 'p')}) as post,
        case when c.kind = 'comment' and n.kind = 'hidden' then (
          select e.snapshot ->> 'content' from reports r join evidence e on e.report_id = r.id
          where r.case_id = c.id order by r.id, e.position limit 1) end as words,
        jsonb_build_object('appeal', c.id is not null and ${whereMemberHasAbility(asMe, 'appeal', 'moderation_cases', 'c')}) as can
      from moderation_notices n left join moderation_cases c on c.id = n.case_id
      where ${whereMemberMayRead(asMe, 'moderation_notices', 'n')} and n.read_at is null
      order by n.id limit ${maxListedNotices}`.execute(database.kysely)
    return {
      documents: rows.map(({ created_at, ...notice }) => ({
        ...notice,
        $createdAt: formatIsoTimestamp(created_at),
      })),
    }
  })

  registerRoute(app, context, markModerationNoticeReadOperation, async ({ noticeId }, { me, database }) => {
    const { rows } = await sql`
      update moderation_notices n set read_at = coalesce(n.read_at, clock_timestamp())
      where n.public_id = ${noticeId} and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'moderation_notices', 'n')}
      returning n.id`.execute(database.kysely)
    if (rows.length === 0) throwFailure('document_not_found')
  })

  registerRoute(app, context, appealDecisionOperation, async ({ caseId, text }, { me, store }) => {
    await store.transact(async ({ db }) => {
      const { rows } = await sql<{ id: number; open: boolean }>`
        select c.id, ${whereMemberHasAbility(memberKeyParameter(me.id), 'appeal', 'moderation_cases', 'c')} as open
        from moderation_cases c
        where c.public_id = ${caseId} and ${whereMemberHasAbility(memberKeyParameter(me.id), 'beReviewed', 'moderation_cases', 'c')}`.execute(
        db,
      )
      if (!rows[0]) return throwFailure('case_not_found')
      await insertAppeal(db, rows[0].id, text, me.id)
    })
    return { text }
  })

  registerRoute(app, context, appealSuspensionOperation, async ({ text, ...credentials }, ctx) => {
    const { request, config, database } = ctx
    const db = database.kysely
    const account = await verifyAccountPassword(ctx, credentials, {
      isMeant: async ({ id, status }) => {
        // The server does the same work for every account, so that the response time reveals nothing.
        const suspension = await findSuspension(db, id)
        const needsSecondStep = await isSecondStepRequired(db, id, readBrowserCookie(request, config))
        return status !== 'active' && Boolean(suspension?.case_id) && !needsSecondStep
      },
    })
    await ctx.store.transact(async ({ db }) => {
      const suspension = await findSuspension(db, account.id)
      if (!suspension?.case_id) return throwFailure('user_invalid_credentials')
      await insertAppeal(db, suspension.case_id, text, null)
    })
    return { text }
  })

  registerRoute(
    app,
    context,
    appealSuspensionAfterSecondStepOperation,
    async ({ text }, { caller, store }) => {
      await store.transact(async ({ db }) => {
        const { rows } = await sql<{ case_id: number }>`
          select su.case_id from sessions s join suspensions su on su.account_id = s.account_id
          where s.id = ${caller.session.id} and s.pending_until > clock_timestamp() and s.second_proved_at is not null
            and su.lifted_at is null and su.case_id is not null`.execute(db)
        if (!rows[0]) return throwFailure('case_not_found')
        await insertAppeal(db, rows[0].case_id, text, null)
      })
      return { text }
    },
  )
}

async function insertAppeal(
  db: Transaction<DatabaseTables>,
  caseKey: number,
  text: string,
  by: number | null,
): Promise<void> {
  const { rows } = await sql`
    insert into appeals (case_id, text) values (${caseKey}, ${text})
    on conflict on constraint appeals_once do nothing returning id`.execute(db)
  if (rows.length === 0) throwFailure('appeal_exists')
  await recordModerationAct(db, 'review.ask', { by, caseKey })
}

export async function insertModerationNotice(
  db: Kysely<DatabaseTables>,
  member: number,
  notice: { kind: ModerationNotice['kind']; caseKey: number; text: string },
): Promise<void> {
  await sql`
    insert into moderation_notices (public_id, member_id, case_id, kind, text)
    values (${generateId()}, ${member}, ${notice.caseKey}, ${notice.kind}, ${notice.text})`.execute(db)
}

type Reviewed = {
  id: number
  kind: ReportSubjectKind
  subject_id: string
  about_id: number | null
  asked: boolean
  may_review: boolean
}

export async function decideAppeal(
  { me, store, live }: RequestContext,
  { caseId, outcome, text }: OperationInput<typeof decideAppealOperation>,
): Promise<void> {
  const asMe = memberKeyParameter(me.id)
  await store.transact(async (tx) => {
    const { rows } = await sql<Reviewed>`
      select c.id, c.kind, c.subject_id, c.about_id,
        exists (select from appeals a where a.case_id = c.id) as asked,
        ${whereMemberHasAbility(asMe, 'review', 'moderation_cases', 'c')} as may_review
      from moderation_cases c
      where c.public_id = ${caseId} and ${whereAccessRuleAllows(asMe, 'update', 'moderation_cases', 'c')}`.execute(
      tx.db,
    )
    const [found] = rows
    if (!found?.asked) return throwFailure('case_not_found')
    if (!found.may_review) return throwFailure('appeal_own_decision')
    // The subject is locked before the appeal, as when a case is decided.
    if (outcome === 'overturned') await undoDecision(tx, found)
    const { rows: decided } = await sql`
      update appeals a set outcome = ${outcome}, answer = ${text}, decided_by = ${me.id}, decided_at = clock_timestamp()
      where a.case_id = ${found.id} and a.outcome is null returning a.id`.execute(tx.db)
    if (decided.length === 0) return throwFailure('case_decided')
    if (found.about_id !== null)
      await insertModerationNotice(tx.db, found.about_id, { kind: outcome, caseKey: found.id, text })
    await recordModerationAct(tx.db, `review.${outcome}`, { by: me.id, caseKey: found.id, detail: { text } })
  })
  live.notify([])
}

const whereStands = (
  caseKey: number,
) => sql`c.id <> ${caseKey} and c.status = 'decided' and c.desk = 'moderators'
  and not exists (select from appeals a where a.case_id = c.id and a.outcome = 'overturned')`

/**
 * Undoes the effect, unless another decision still requires it.
 * A hidden comment is not restored: only the evidence has its text, and later replies would follow it.
 */
async function undoDecision(tx: StoreTransaction, { id, kind, subject_id }: Reviewed): Promise<void> {
  if (kind === 'post' || kind === 'group') {
    const collection = kind === 'post' ? 'posts' : 'groups'
    await tx.lock(collection, subject_id)
    const { rows } = await sql<{ before: 'author' | 'group' | null }>`
      select (select l.detail ->> 'before' from moderation_cases c join moderation_log l on l.case_id = c.id
        where c.kind = ${kind} and c.subject_id = ${subject_id} and c.status = 'decided' and l.detail ? 'before'
        order by l.id desc limit 1) as before
      from ${sql.table(collection)} as t
      where t.public_id = ${subject_id} and t.hidden_at is not null
        and coalesce(to_jsonb(t) ->> 'hidden_by', 'moderator') = 'moderator'
        and not exists (select from moderation_cases c where c.kind = ${kind} and c.subject_id = ${subject_id}
          and ${whereStands(id)} and c.decision in ('hide', ${kind === 'post' ? 'suspend' : 'hide'}))`.execute(
      tx.db,
    )
    const before = rows[0]?.before ?? null
    if (rows[0])
      await tx.update(systemActor, collection, subject_id, {
        ...(collection === 'posts' && { hidden_by: before }),
        ...(before === null && { hidden_at: null }),
      })
  }
  await lockGroupsOfSuspension(tx, id)
  await undoSuspension(tx.db, id)
  await giveBackSuspendedGroups(tx, id)
  await sql`
    update moderation_notices n set read_at = clock_timestamp()
    where n.case_id = ${id} and n.read_at is null`.execute(tx.db)
}

/** A longer suspension of another case continues. */
async function undoSuspension(db: Transaction<DatabaseTables>, caseKey: number): Promise<void> {
  await sql`select from suspensions s where s.case_id = ${caseKey} and s.lifted_at is null for update`.execute(
    db,
  )
  await lockAccountsOfSuspension({ db }, caseKey)
  const { rows } = await sql<{ case_id: number }>`
    update suspensions s set case_id = standing.id, reason = standing.reason, ends_at = standing.ends_at
    from (
      select c.id, c.reason, c.decided_at + (l.detail ->> 'days')::int * interval '1 day' as ends_at
      from moderation_cases c join moderation_log l on l.case_id = c.id and l.act = 'suspend'
      where c.about_id = (select this.about_id from moderation_cases this where this.id = ${caseKey})
        and c.decision = 'suspend' and ${whereStands(caseKey)}
        and coalesce(c.decided_at + (l.detail ->> 'days')::int * interval '1 day', 'infinity') > clock_timestamp()
      order by ends_at desc nulls first limit 1
    ) standing
    where s.case_id = ${caseKey} and s.lifted_at is null returning s.case_id`.execute(db)
  const [standing] = rows
  if (!standing) await liftSuspensions(db, sql`case_id = ${caseKey}`)
  else await moveHandoversToCase({ db }, caseKey, standing.case_id)
}
