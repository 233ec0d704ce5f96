/** Takes the second step of signing in. */
import { sql, type Transaction } from 'kysely'
import { recordAccountEvent } from '../auth/account-audit-log.ts'
import { whereAccountMaySignIn } from '../auth/closing-accounts.ts'
import { endBrowserTrust, rememberBrowser } from '../auth/known-browsers.ts'
import {
  consumeSecondFactor,
  removeSecondFactors,
  type SecondFactor,
  type SessionSecondFactor,
  selectTwoSteps,
} from '../auth/second-factors.ts'
import { completePendingSession } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { alarmAboutKnownPassword, sendAccountNoticeEmail } from '../features/account-alarms.ts'
import { type CreatedSession, reopenRecorded, sendSession } from '../features/sessions.ts'
import type { RequestContext } from '../route.ts'

/**
 * Takes a code of the caller's, whose session may wait for it.
 * @throws Failure 401 `user_invalid_token`, 429
 */
export async function assertSecondFactor(
  ctx: RequestContext,
  given: { factor: SecondFactor; code: string },
): Promise<void> {
  const { request, caller, database, instanceKey } = ctx
  if (await consumeSecondFactor(database.kysely, instanceKey, caller, given)) {
    if (given.factor === 'recoverycode')
      await recordAccountEvent(database.kysely, request, caller.account.id, 'mfa.recovery')
    return
  }
  if (caller.session.pending) await alarmAboutKnownPassword(ctx)
  throwFailure('user_invalid_token')
}

/**
 * Makes the caller's pending session whole, sends it to the browser and remembers the browser.
 * @param more.trustBrowser spares this browser the second step for thirty days
 * @param more.turnOff turns two steps off, for whoever has lost the app
 * @throws Failure 404 `user_session_not_found` when the session ended meanwhile
 */
export async function finishPendingSignIn(
  ctx: RequestContext,
  factor: SessionSecondFactor,
  more: { trustBrowser?: boolean | undefined; turnOff?: boolean | undefined } = {},
): Promise<CreatedSession> {
  const { request, caller, config, store, live } = ctx
  const created = await store.transact(async ({ db }) => {
    // First, for its lock: a password that changes at the same time either waits, or has ended the session.
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', caller.account.id)
      .where(whereAccountMaySignIn('accounts'))
      .forNoKeyUpdate()
      .executeTakeFirst()
    const completed = account && (await completePendingSession(db, caller, factor))
    if (!completed) return throwFailure('user_session_not_found')
    await recordAccountEvent(db, request, account.id, 'session.create')
    if (more.turnOff) await turnOffTwoStepsInTransaction(db, ctx)
    const trusted = more.trustBrowser === true && !more.turnOff
    const browser = await rememberBrowser(db, request, config, account.id, { trusted })
    const reopened = account.reopens_on_sign_in && (await reopenRecorded(db, request, account.id))
    return { account, ...completed, browser, reopened }
  })
  await sendSession(ctx, created)
  if (more.turnOff) await sendAccountNoticeEmail(ctx, created.account, 'two-steps-off')
  live.notify([])
  return created
}

/** Counts a try against the caller's pending session, which ends with the fifth wrong one. @throws Failure 404 `user_session_not_found` */
export async function consumeStepAttempt({ caller, database }: RequestContext): Promise<void> {
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

/** Turns two steps off, and asks every browser for what is left. Sends no letter. */
export async function turnOffTwoStepsInTransaction(
  db: Transaction<DatabaseTables>,
  { request, caller }: RequestContext,
): Promise<boolean> {
  await endBrowserTrust(db, caller.account.id)
  if (!(await removeSecondFactors(db, caller.account.id))) return false
  await recordAccountEvent(db, request, caller.account.id, 'mfa.delete')
  return true
}

/** Which factors the caller's account has. */
export const selectCallerTwoSteps = ({ caller, database }: RequestContext) =>
  selectTwoSteps(database.kysely, caller.account.id)
