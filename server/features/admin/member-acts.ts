import { type Kysely, sql } from 'kysely'
import { recordAccountEventWithoutRequest } from '../../auth/account-audit-log.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import { lockAccountRow } from '../../auth/lock-account-row.ts'
import { revokeSessions } from '../../auth/session.ts'
import { liftSuspensions } from '../../auth/suspended-and-closed-accounts.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import {
  giveBackSuspendedGroups,
  lockAccountsOfSuspension,
  lockGroupsOfSuspension,
} from '../groups/group-succession.ts'
import { recordModerationAct } from '../moderation/moderation-log.ts'
import { type ActingOperator, recordOperatorAct } from './operator-acts.ts'

type Member = { id: number; account_id: number }

/** If two people decided a suspension, its case keeps the proposal. */
export const wasDecidedByTwo = (alias: string) =>
  sql<boolean>`exists (select from suspension_proposals tp where tp.case_id = ${sql.ref(`${alias}.case_id`)})`

/**
 * @returns the groups that got a successor because of the suspension, or false if the member is not suspended
 * @throws Failure admin_command_required in the app if two people decided the suspension
 */
export async function endSuspension(
  tx: StoreTransaction,
  { id, account_id }: Member,
  by: ActingOperator,
): Promise<boolean> {
  const { rows: current } = await sql<{ case_id: number | null }>`
    select case_id from suspensions where account_id = ${account_id} and lifted_at is null`.execute(tx.db)
  // If a concurrent decision replaces the case, the same groups are tied to the new case.
  const lockedCase = current[0]?.case_id ?? null
  if (lockedCase !== null) await lockGroupsOfSuspension(tx, lockedCase)
  const { rows } = await sql<{ case_id: number | null; by_two: boolean }>`
    select s.case_id, ${wasDecidedByTwo('s')} as by_two from suspensions s
    where s.account_id = ${account_id} and s.lifted_at is null for update of s`.execute(tx.db)
  if (!rows[0]) return false
  const { case_id: caseKey, by_two: byTwo } = rows[0]
  if ('member' in by && byTwo) throwFailure('admin_command_required')
  if (caseKey !== null) await lockAccountsOfSuspension(tx, caseKey)
  await liftSuspensions(tx.db, sql`account_id = ${account_id}`)
  if (caseKey !== null) await giveBackSuspendedGroups(tx, caseKey)
  const operator = 'systemUser' in by && by.systemUser
  const detail = { ...(operator && { operator }), member: id }
  await recordModerationAct(tx.db, 'moderator.restore', { by: null, caseKey, detail })
  await recordOperatorAct(tx.db, 'member.reopen', { by, about: id })
  return true
}

/** Ends the member's sessions. The member's security log shows this. */
export async function signOutEverywhere(
  db: Kysely<DatabaseTables>,
  { id, account_id }: Member,
  by: ActingOperator,
): Promise<void> {
  await lockAccountRow(db, account_id)
  await revokeSessions(db, account_id)
  await revokeTrustOfAllBrowsers(db, account_id)
  await recordAccountEventWithoutRequest(db, account_id, 'session.delete')
  await recordOperatorAct(db, 'member.sign-out', { by, about: id })
}
