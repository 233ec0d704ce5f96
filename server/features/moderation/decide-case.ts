/** A decision, its effect and its log entry are written in one transaction. */
import { sql, type Transaction } from 'kysely'
import type { decideCaseOperation, ModerationDecision } from '#contract/moderation/cases.ts'
import type { ModerationNotice } from '#contract/moderation/moderation-notices-and-appeals.ts'
import type { ReportSubjectKind } from '#contract/moderation/reports.ts'
import type { OperationInput } from '#contract/operation.ts'
import { lockAccountRow } from '../../auth/lock-account-row.ts'
import { revokeSessions } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import {
  hasOpenAccount,
  memberKeyParameter,
  whereAccessRuleAllows,
  whereMemberHasAbility,
} from '../../policy/index.ts'
import type { RequestContext } from '../../route.ts'
import { systemActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { closeAccountAndAppointSuccessors } from '../account/close-account.ts'
import { moveHandoversToCase } from '../groups/group-succession.ts'
import { emailOperatorsOfProposals } from './email-operators-of-proposals.ts'
import { keepEvidenceAfter } from './evidence-retention.ts'
import { recordModerationAct } from './moderation-log.ts'
import { insertModerationNotice } from './notice-and-appeal-routes.ts'

type CaseDecision = Omit<OperationInput<typeof decideCaseOperation>, 'caseId'>

/** A suspended member gets no notice, because the sign-in shows the suspension. */
const noticeByDecision: Partial<Record<ModerationDecision, ModerationNotice['kind']>> = {
  hide: 'hidden',
  warn: 'warning',
}

/** Decides a case. A suspension of a moderator or operator is only proposed (decision 0226). */
export async function decideCase(ctx: RequestContext, caseId: string, given: CaseDecision): Promise<void> {
  const { me, store, live } = ctx
  const { decision, text, days } = given
  if (decision === 'suspend' && days === undefined)
    throwFailure('general_argument_invalid', { field: 'days' })
  let isProposal = false
  await store.transact(async (tx) => {
    const found = await findClaimedCase(tx.db, me.id, caseId)
    const decided = { decision, text, days: days ?? null }
    isProposal = decision === 'suspend' && !found.suspends_alone
    if (isProposal && !found.may_propose) throwFailure('admin_case_interest')
    if (isProposal) await proposeSuspension(tx.db, me.id, found, decided)
    else await applyDecision(tx, me.id, found, decided)
  })
  if (isProposal) await emailOperatorsOfProposals(ctx)
  live.notify([])
}

export async function confirmSuspension(
  ctx: RequestContext,
  caseId: string,
  proposalId: string,
): Promise<void> {
  const { me, store, live } = ctx
  await store.transact(async (tx) => {
    await applyProposal(tx, me.id, await findClaimedCase(tx.db, me.id, caseId), proposalId)
  })
  live.notify([])
}

async function applyProposal(
  tx: StoreTransaction,
  me: number,
  found: Parameters<typeof applyDecision>[2],
  proposalId: string,
): Promise<void> {
  const { rows } = await sql<{ text: string; days: number | null; own: boolean; may_confirm: boolean }>`
    select p.text, p.days, coalesce(p.proposed_by = ${me}, false) as own,
      ${whereMemberHasAbility(memberKeyParameter(me), 'confirmSuspension', 'moderation_cases', 'c')} as may_confirm
    from suspension_proposals p join moderation_cases c on c.id = p.case_id
    where c.id = ${found.id} and p.public_id = ${proposalId}`.execute(tx.db)
  const [proposal] = rows
  if (proposal?.own) throwFailure('suspension_own_proposal')
  if (!proposal?.may_confirm) return throwFailure('suspension_not_proposed')
  const { text, days } = proposal
  await applyDecision(tx, me, found, { decision: 'suspend', text, days, isProposed: true })
}

export async function declineSuspension(
  { me, store }: RequestContext,
  caseId: string,
  proposalId: string,
): Promise<void> {
  await store.transact(async ({ db }) => {
    const { id } = await findClaimedCase(db, me.id, caseId)
    await dropProposal(db, me.id, id, proposalId)
  })
}

async function dropProposal(
  db: Transaction<DatabaseTables>,
  me: number,
  caseKey: number,
  proposalId: string,
): Promise<void> {
  const { rows } = await sql`
    delete from suspension_proposals where case_id = ${caseKey} and public_id = ${proposalId} returning id`.execute(
    db,
  )
  if (rows.length === 0) throwFailure('suspension_not_proposed')
  await recordModerationAct(db, 'suspend.decline', { by: me, caseKey })
}

type ProposedCase = { id: number; kind: 'member'; subject_id: string; about_id: number }

async function lockProposedCase(
  db: Transaction<DatabaseTables>,
  me: number,
  proposalId: string,
): Promise<ProposedCase> {
  const { rows } = await sql<ProposedCase>`
    select c.id, c.kind, c.subject_id, c.about_id
    from suspension_proposals p join moderation_cases c on c.id = p.case_id
    where p.public_id = ${proposalId}
      and ${whereMemberHasAbility(memberKeyParameter(me), 'seeProposal', 'moderation_cases', 'c')}
    for update of c`.execute(db)
  return rows[0] ?? throwFailure('suspension_not_proposed')
}

/** Confirms the suspension. The operator takes over the case from the moderator who claimed it. */
export async function confirmProposedSuspensionAsOperator(
  tx: StoreTransaction,
  me: number,
  proposalId: string,
): Promise<number> {
  const found = await lockProposedCase(tx.db, me, proposalId)
  await sql`
    update moderation_cases set claimed_by = ${me}, claimed_at = clock_timestamp() where id = ${found.id}`.execute(
    tx.db,
  )
  await applyProposal(tx, me, found, proposalId)
  return found.about_id
}

export async function declineProposedSuspensionAsOperator(
  db: Transaction<DatabaseTables>,
  me: number,
  proposalId: string,
): Promise<number> {
  const { id, about_id } = await lockProposedCase(db, me, proposalId)
  await dropProposal(db, me, id, proposalId)
  return about_id
}

type GivenDecision = { decision: ModerationDecision; text: string; days: number | null; isProposed?: boolean }

async function applyDecision(
  tx: StoreTransaction,
  me: number | null,
  found: Omit<FoundCase, 'claimed' | 'suspends_alone' | 'status' | 'may_propose'>,
  { decision, text, days, isProposed = false }: GivenDecision,
): Promise<void> {
  // The subject and the member are locked before the case, as when a report is made.
  const detail = { text, days, ...(await hideSubject(tx, found, decision)) }
  if (decision === 'suspend') {
    if (found.about_id === null) return throwFailure('general_argument_invalid', { field: 'decision' })
    await suspendMember(tx, found.about_id, { caseKey: found.id, reason: text, days })
  }
  // Proposing releases the claim, so a proposal that was replaced meanwhile is not confirmed here.
  const { rows } = await sql`
    update moderation_cases c set status = 'decided', decision = ${decision}, reason = ${text},
      decided_by = ${me}, decided_at = clock_timestamp()
    where c.id = ${found.id} and c.status = 'open' and c.claimed_by is not distinct from ${me} returning c.id`.execute(
    tx.db,
  )
  if (rows.length === 0) throwFailure('case_decided')
  if (!isProposed) await sql`delete from suspension_proposals where case_id = ${found.id}`.execute(tx.db)
  await keepEvidenceAfter(tx.db, found.id, decision)
  const notice = noticeByDecision[decision]
  if (notice && found.about_id !== null)
    await insertModerationNotice(tx.db, found.about_id, { kind: notice, caseKey: found.id, text })
  await recordModerationAct(tx.db, decision, { by: me, caseKey: found.id, detail })
}

async function proposeSuspension(
  db: Transaction<DatabaseTables>,
  me: number,
  { id }: Pick<FoundCase, 'id'>,
  { text, days }: Pick<GivenDecision, 'text' | 'days'>,
): Promise<void> {
  const { rows } = await sql`
    update moderation_cases c set claimed_by = null, claimed_at = null
    where c.id = ${id} and c.status = 'open' and c.claimed_by = ${me} returning c.id`.execute(db)
  if (rows.length === 0) throwFailure('case_decided')
  await sql`delete from suspension_proposals where case_id = ${id}`.execute(db)
  await db
    .insertInto('suspension_proposals')
    .values({ public_id: generateId(), case_id: id, proposed_by: me, text, days })
    .execute()
  await sql`
    insert into changes (collection, kind, row_id, public_id, member_ids)
    select 'moderationCases', 'create', c.id, c.public_id, '{}' from moderation_cases c where c.id = ${id}`.execute(
    db,
  )
  await recordModerationAct(db, 'suspend.propose', { by: me, caseKey: id, detail: { text, days } })
}

/**
 * Opens a case or uses the open one, so that reason, notice and appeal work as for a moderator's suspension.
 * @param by null for a command; in the app, the suspension of a moderator or operator is only proposed
 * @returns whether the suspension is only proposed
 * @throws Failure admin_account_suspended; case_decided if moderators decide the same case at that moment
 */
export async function suspendForOperator(
  tx: StoreTransaction,
  member: { id: number; publicId: string },
  { by, text, days }: { by: number | null; text: string; days: number | null },
): Promise<boolean> {
  const { rows } = await sql<{ id: number; is_new: boolean }>`
    insert into moderation_cases as c (public_id, kind, subject_id, about_id, desk, severity, claimed_by, claimed_at)
    values (${generateId()}, 'member', ${member.publicId}, ${member.id}, 'moderators', 2, ${by}, clock_timestamp())
    on conflict (kind, subject_id, desk) where status = 'open'
    do update set claimed_by = excluded.claimed_by, claimed_at = excluded.claimed_at, about_id = excluded.about_id
    returning c.id, xmax = 0 as is_new`.execute(tx.db)
  const found = {
    ...(rows[0] as { id: number; is_new: boolean }),
    kind: 'member',
    subject_id: member.publicId,
  } as const
  // At this point, another operator's decision about the same case has committed.
  const { rows: standing } = await sql`
    select from suspensions s join users u on u.account_id = s.account_id
    where u.id = ${member.id} and s.lifted_at is null and coalesce(s.ends_at, 'infinity') > clock_timestamp()`.execute(
    tx.db,
  )
  if (standing.length > 0) throwFailure('admin_account_suspended')
  // A case lists its reports, so a new case that nobody reported needs a row.
  if (found.is_new)
    await sql`
      insert into reports (public_id, case_id, reason, desk)
      values (${generateId()}, ${found.id}, 'other', 'moderators')`.execute(tx.db)
  const { rows: roles } = await sql<{ suspends_alone: boolean }>`
    select ${whereMemberHasAbility(memberKeyParameter(member.id), 'suspendAlone', 'moderation_cases', 'c')} as suspends_alone
    from moderation_cases c where c.id = ${found.id}`.execute(tx.db)
  if (by !== null && !roles[0]?.suspends_alone) {
    await proposeSuspension(tx.db, by, found, { text, days })
    return true
  }
  await applyDecision(tx, by, { ...found, about_id: member.id }, { decision: 'suspend', text, days })
  return false
}

type FoundCase = {
  id: number
  kind: ReportSubjectKind
  subject_id: string
  status: string
  about_id: number | null
  claimed: boolean
  suspends_alone: boolean
  may_propose: boolean
}

async function findClaimedCase(
  db: Transaction<DatabaseTables>,
  me: number,
  caseId: string,
): Promise<FoundCase> {
  const { rows } = await sql<FoundCase>`
    select c.id, c.kind, c.subject_id, c.status, c.about_id,
      ${whereMemberHasAbility(memberKeyParameter(me), 'suspendAlone', 'moderation_cases', 'c')} as suspends_alone,
      ${whereMemberHasAbility(memberKeyParameter(me), 'proposeSuspension', 'moderation_cases', 'c')} as may_propose,
      c.claimed_by = ${me} and c.claimed_at > clock_timestamp() - interval '30 minutes' as claimed
    from moderation_cases c
    where c.public_id = ${caseId} and ${whereAccessRuleAllows(memberKeyParameter(me), 'update', 'moderation_cases', 'c')}`.execute(
    db,
  )
  const found = rows[0] ?? throwFailure('case_not_found')
  if (found.status === 'decided') throwFailure('case_decided')
  if (!found.claimed) throwFailure('case_not_claimed')
  return found
}

/**
 * If the subject was deleted, the decision still holds.
 * A suspension also hides the reported post or comment, which would otherwise reappear when it ends.
 * @returns who had hidden the post before; undefined if nothing was hidden, or for a comment, which cannot be
 * restored
 */
async function hideSubject(
  tx: StoreTransaction,
  { kind, subject_id }: Pick<FoundCase, 'kind' | 'subject_id'>,
  decision: ModerationDecision,
): Promise<{ before: string | null } | undefined> {
  if (decision === 'hide' && (kind === 'member' || kind === 'message'))
    throwFailure('general_argument_invalid', { field: 'decision' })
  const hides = decision === 'hide' || (decision === 'suspend' && (kind === 'post' || kind === 'comment'))
  if (!hides) return undefined
  if (kind === 'comment') {
    await removeComment(tx, subject_id)
    return undefined
  }
  const collection = kind === 'post' ? 'posts' : 'groups'
  await tx.lock(collection, subject_id)
  const shown = await selectShown(tx.db, collection, subject_id)
  if (!shown) return undefined
  await tx.update(systemActor, collection, subject_id, {
    // If the author or the group had hidden the post before, the earlier time stays.
    hidden_at: sql`coalesce(hidden_at, clock_timestamp())`,
    ...(collection === 'posts' && { hidden_by: 'moderator' }),
  })
  return { before: shown.hidden_by }
}

async function removeComment(tx: StoreTransaction, publicId: string): Promise<void> {
  await tx.lock('comments', publicId)
  const { rows } = await sql`
    select from comments t where t.public_id = ${publicId} and t.removed_at is null`.execute(tx.db)
  if (rows.length > 0) await tx.remove(systemActor, 'comments', publicId)
}

/** @returns undefined if the row is deleted, or already hidden by a moderator */
async function selectShown(
  db: Transaction<DatabaseTables>,
  collection: 'posts' | 'groups',
  publicId: string,
) {
  const { rows } = await sql<{ hidden_by: string | null }>`
    select to_jsonb(t) ->> 'hidden_by' as hidden_by from ${sql.table(collection)} as t
    where t.public_id = ${publicId} and (t.hidden_at is null or to_jsonb(t) ->> 'hidden_by' <> 'moderator')`.execute(
    db,
  )
  return rows[0]
}

/** If two suspensions overlap, the row keeps the one that ends last, with its case. */
async function suspendMember(
  tx: StoreTransaction,
  member: number,
  { caseKey, reason, days }: { caseKey: number; reason: string; days: number | null },
): Promise<void> {
  // A suspension that is just ending opens the account, so this statement waits for its transaction.
  const { rows: current } = await sql<{ case_id: number | null; in_force: boolean }>`
    select s.case_id, coalesce(s.ends_at, 'infinity') > clock_timestamp() as in_force
    from suspensions s join users u on u.account_id = s.account_id
    where u.id = ${member} and s.lifted_at is null for update of s`.execute(tx.db)
  const account = await selectAccountToSuspend(tx, member)
  const close = async () => {
    // A session that is just starting waits for this lock, and also ends.
    const { numUpdatedRows } = await tx.db
      .updateTable('accounts')
      .set({ status: 'blocked' })
      .where('id', '=', account.account_id)
      .where('status', '=', 'active')
      .executeTakeFirst()
    // A member who closed the account can still have sessions.
    await revokeSessions(tx.db, account.account_id)
    return numUpdatedRows > 0n
  }
  // An account that the member closed meanwhile stays closed after the suspension.
  const closed = account.open
    ? await closeAccountAndAppointSuccessors(tx, member, close, { caseKey })
    : await close()
  const { rows: written } = await sql`
    insert into suspensions as s (account_id, case_id, reason, ends_at, reopens)
    values (${account.account_id}, ${caseKey}, ${reason}, clock_timestamp() + ${days}::int * interval '1 day', ${closed})
    on conflict (account_id) where lifted_at is null do update
    set case_id = excluded.case_id, reason = excluded.reason, ends_at = excluded.ends_at
    where s.ends_at is not null and (excluded.ends_at is null or excluded.ends_at > s.ends_at)
    returning s.id`.execute(tx.db)
  const replaced = current[0]?.in_force && written.length > 0 ? current[0].case_id : null
  if (replaced !== null) await moveHandoversToCase(tx, replaced, caseKey)
}

/** The account is locked and read again if it is closed, because it may be reopening. */
async function selectAccountToSuspend({ db }: StoreTransaction, member: number) {
  const select = async () => {
    const { rows } = await sql<{ account_id: number; open: boolean }>`
      select u.account_id, ${hasOpenAccount(sql.ref('u.id'))} as open from users u where u.id = ${member}`.execute(
      db,
    )
    return rows[0] ?? throwFailure('case_not_found')
  }
  const account = await select()
  if (account.open) return account
  await lockAccountRow(db, account.account_id)
  return select()
}
