/** Decides cases, and suspends members for a time or for good: to everybody else their accounts are closed meanwhile. */
import { sql, type Transaction } from 'kysely'
import type { decideCaseOperation } from '#contract/moderation/cases.ts'
import type { OperationInput } from '#contract/operation.ts'
import { revokeSessions } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { closeMemberAccount } from '../features/group-members.ts'
import { hasOpenAccount, memberKeyParameter, whereAccessRuleAllows } from '../policy.ts'
import type { RequestContext } from '../route.ts'
import type { WriteContext } from '../store/write-context.ts'
import { recordModerationAct } from './moderation-log.ts'

type Decision = Omit<OperationInput<typeof decideCaseOperation>, 'caseId'>

/** How long evidence is kept after a decision. */
const keptAfter = { dismiss: '90 days', suspend: '24 months' } as const

/**
 * Decides a case that the caller has claimed, with its effect and its line in the log in one transaction.
 * @throws Failure case_not_found, case_decided, case_not_claimed, general_argument_invalid
 */
export async function decideCase(ctx: RequestContext, caseId: string, given: Decision): Promise<void> {
  const { me, store, live } = ctx
  const { decision, text, days } = given
  if (decision === 'suspend' && days === undefined)
    throwFailure('general_argument_invalid', { field: 'days' })
  await store.transact(async (tx) => {
    const found = await findCase(tx.db, me.id, caseId)
    if (found.status === 'decided') throwFailure('case_decided')
    if (!found.claimed) throwFailure('case_not_claimed')
    // Its locks come before the case's, as a report's do.
    if (decision === 'suspend') {
      if (found.about_id === null) return throwFailure('general_argument_invalid', { field: 'decision' })
      await suspendMember(tx, found.about_id, { caseKey: found.id, reason: text, days: days ?? null })
    }
    const { rows } = await sql`
      update moderation_cases c set status = 'decided', decision = ${decision}, decided_by = ${me.id},
        decided_at = clock_timestamp()
      where c.id = ${found.id} and c.status = 'open' and c.claimed_by = ${me.id} returning c.id`.execute(
      tx.db,
    )
    if (rows.length === 0) throwFailure('case_decided')
    await sql`
      update evidence e set kept_until = clock_timestamp() + ${keptAfter[decision]}::interval
      from reports r where e.report_id = r.id and r.case_id = ${found.id}`.execute(tx.db)
    await recordModerationAct(tx.db, decision, {
      by: me.id,
      caseKey: found.id,
      detail: { text, days: days ?? null },
    })
  })
  live.notify([])
}

async function findCase(db: Transaction<DatabaseTables>, me: number, caseId: string) {
  const { rows } = await sql<{ id: number; status: string; about_id: number | null; claimed: boolean }>`
    select c.id, c.status, c.about_id,
      c.claimed_by = ${me} and c.claimed_at > clock_timestamp() - interval '30 minutes' as claimed
    from moderation_cases c
    where c.public_id = ${caseId} and ${whereAccessRuleAllows(memberKeyParameter(me), 'update', 'moderation_cases', 'c')}`.execute(
    db,
  )
  return rows[0] ?? throwFailure('case_not_found')
}

/** Closes the account and ends its sessions; a suspension that holds already is made longer. */
async function suspendMember(
  tx: WriteContext,
  member: number,
  { caseKey, reason, days }: { caseKey: number; reason: string; days: number | null },
): Promise<void> {
  const { rows } = await sql<{ account_id: number; open: boolean }>`
    select u.account_id, ${hasOpenAccount(sql.ref('u.id'))} as open from users u where u.id = ${member}`.execute(
    tx.db,
  )
  const [account] = rows
  if (!account) return throwFailure('case_not_found')
  if (account.open)
    await closeMemberAccount(tx, member, async () => {
      await revokeSessions(tx.db, account.account_id)
      await tx.db
        .updateTable('accounts')
        .set({ status: 'blocked' })
        .where('id', '=', account.account_id)
        .execute()
    })
  await sql`
    insert into suspensions as s (account_id, case_id, reason, ends_at, reopens)
    values (${account.account_id}, ${caseKey}, ${reason}, clock_timestamp() + ${days}::int * interval '1 day', ${account.open})
    on conflict (account_id) where lifted_at is null do update
    set ends_at = case when s.ends_at is null or excluded.ends_at is null then null else greatest(s.ends_at, excluded.ends_at) end`.execute(
    tx.db,
  )
}
