import { type Kysely, sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import {
  consumeSecondFactor,
  type SecondFactor,
  type SessionSecondFactor,
  selectTwoFactorStatus,
} from '../../auth/second-factors.ts'
import { completePendingSession, lockCallersAccount, type RequestCaller } from '../../auth/session.ts'
import { findClosedAccountFailure } from '../../auth/suspended-and-closed-accounts.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { Failure, throwFailure } from '../../errors.ts'
import type { RequestContext } from '../../route.ts'
import { notifyOwnerOfKnownPassword, sendAccountNoticeEmail } from './account-security-notices.ts'
import { endTwoFactor } from './end-two-factor.ts'
import { type CreatedSession, recordWholeSession, sendSessionCookiesAndNotices } from './session-routes.ts'

export async function verifyCallerSecondFactorCode(
  ctx: RequestContext,
  given: { factor: SecondFactor; code: string },
): Promise<void> {
  const { request, caller, database, instanceKey } = ctx
  if (await consumeSecondFactor(database.kysely, instanceKey, caller, given)) {
    if (given.factor === 'recoverycode')
      await recordAccountEvent(database.kysely, request, caller.account.id, 'mfa.recovery')
    return
  }
  if (caller.session.pending) await notifyOwnerOfKnownPassword(ctx)
  throwFailure('user_invalid_token')
}

/**
 * If the account is not open, the session stays pending and records the second factor. The owner can then
 * appeal against a suspension.
 * @param more.trustBrowser this browser skips the second factor for thirty days
 * @param more.turnOff turns two-factor authentication off, for a member who lost the app
 * @param more.allowsClosed allows signing in to a closed account, to open or keep it
 * @throws Failure 404 `user_session_not_found` if the session ended meanwhile, and as `assertAccountOpen`
 */
export async function finishPendingSignIn(
  ctx: RequestContext,
  factor: SessionSecondFactor,
  more: {
    trustBrowser?: boolean | undefined
    turnOff?: boolean | undefined
    allowsClosed?: boolean
  } = {},
): Promise<CreatedSession> {
  const { caller, store, live } = ctx
  const created = await store.transact(async ({ db }) => {
    // A concurrent password change waits for this lock, or has already ended the session.
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', caller.account.id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!account) return throwFailure('user_session_not_found')
    const failure = await findClosedAccountFailure(db, account, more.allowsClosed)
    if (failure) {
      await recordSecondFactorReauthentication(db, caller)
      return failure
    }
    const completed = await completePendingSession(db, caller, factor)
    if (!completed) return throwFailure('user_session_not_found')
    if (more.turnOff) await turnOffTwoFactorInTransaction(db, ctx)
    const trusted = more.trustBrowser === true && !more.turnOff
    return { account, ...completed, ...(await recordWholeSession(db, ctx, account, { trusted })) }
  })
  if (created instanceof Failure) throw created
  await sendSessionCookiesAndNotices(ctx, created)
  if (more.turnOff) await sendAccountNoticeEmail(ctx, created.account, 'two-steps-off')
  live.notify([])
  return created
}

export async function recordSecondFactorReauthentication(
  db: Kysely<DatabaseTables>,
  { session }: Pick<RequestCaller, 'session'>,
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await db
    .updateTable('sessions')
    .set({ proved_at: now, second_proved_at: now })
    .where('id', '=', session.id)
    .execute()
}

/** The fifth wrong attempt ends the pending session. */
export async function consumeSecondFactorAttempt({ caller, database }: RequestContext): Promise<void> {
  const { rows } = await sql`
    update sessions set step_attempts = step_attempts + 1
    where id = ${caller.session.id} and pending_until > clock_timestamp() and step_attempts < 5 returning id`.execute(
    database.kysely,
  )
  if (rows.length > 0) return
  await sql`delete from sessions where id = ${caller.session.id} and pending_until is not null`.execute(
    database.kysely,
  )
  throwFailure('user_session_not_found')
}

/**
 * Turns two-factor authentication off, and revokes the trust of browsers that skip the second factor. Sends
 * no email.
 */
export async function turnOffTwoFactorInTransaction(
  db: Transaction<DatabaseTables>,
  { request, caller }: RequestContext,
): Promise<boolean> {
  await revokeTrustOfAllBrowsers(db, caller.account.id)
  return endTwoFactor(db, request, caller.account.id)
}

export const selectCallerTwoFactorStatus = ({ caller, database }: RequestContext) =>
  selectTwoFactorStatus(database.kysely, caller.account.id)

/** Requires a code if two-factor authentication was turned on since the caller's status was read. */
export async function lockAccountUnlessTwoFactorTurnedOn(
  db: Transaction<DatabaseTables>,
  { caller }: RequestContext,
  seen: { on: boolean },
): Promise<void> {
  await lockCallersAccount(db, caller)
  const { on } = await selectTwoFactorStatus(db, caller.account.id)
  if (on && !seen.on) throwFailure('user_challenge_required')
}
