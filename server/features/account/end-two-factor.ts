/** The calling function must send the notice email after the commit. */
import type { FastifyRequest } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { recordAccountEvent, recordAccountEventWithoutRequest } from '../../auth/account-audit-log.ts'
import { removeSecondFactors } from '../../auth/second-factors.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { generateId } from '../../ids.ts'
import { renderNotificationCandidateColumns } from '../notifications/notification-candidates.ts'
import { upsertNotifications } from '../notifications/write-notifications.ts'

/** @param request null for the operator's command or a job */
export async function endTwoFactor(
  db: Transaction<DatabaseTables>,
  request: FastifyRequest | null,
  accountId: number,
): Promise<boolean> {
  if (!(await removeSecondFactors(db, accountId))) return false
  await recordEndOfTwoFactor(db, request, accountId)
  return true
}

export async function recordEndOfTwoFactor(
  db: Transaction<DatabaseTables>,
  request: FastifyRequest | null,
  accountId: number,
): Promise<void> {
  if (request) await recordAccountEvent(db, request, accountId, 'mfa.delete')
  else await recordAccountEventWithoutRequest(db, accountId, 'mfa.delete')
  const candidates = sql`select ${renderNotificationCandidateColumns({
    user_id: 'u.id',
    kind: 'two-steps-off',
    subject: `'two-steps:${generateId()}'`,
    actor_id: 'null',
    at: 'clock_timestamp()',
  })} from users u where u.account_id = ${accountId}`
  await upsertNotifications(db, candidates, sql`select user_id from gathered`)
}
