/**
 * Changes that could take an account away from its owner require re-authentication, because an unlocked phone
 * must not be enough.
 * A re-authentication counts for a while, in the same session only.
 */
import { type Kysely, sql } from 'kysely'
import { verifyPassword } from '../../auth/password-hash.ts'
import {
  assertSessionReauthenticatedByStrongest,
  hasSessionReauthenticated,
  reauthenticationLifetime,
} from '../../auth/recent-reauthentication.ts'
import { detectSecondFactorOfCode } from '../../auth/second-factors.ts'
import type { RequestCaller } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import type { RequestContext } from '../../route.ts'
import {
  recordSecondFactorReauthentication,
  selectCallerTwoFactorStatus,
  verifyCallerSecondFactorCode,
} from './second-factor-sign-in.ts'
import { selectCallerAccount } from './update-caller-account.ts'

export async function assertRecentReauthentication(ctx: RequestContext): Promise<void> {
  if (!(await hasRecentReauthentication(ctx))) throwFailure('user_challenge_required')
}

export const hasRecentReauthentication = (ctx: RequestContext): Promise<boolean> =>
  hasSessionReauthenticated(ctx.database.kysely, ctx.caller, 'proved_at')

/** Requires a code if two-factor authentication is on, otherwise any re-authentication. */
export const assertRecentStrongestReauthentication = ({ caller, database }: RequestContext) =>
  assertSessionReauthenticatedByStrongest(database.kysely, caller)

/**
 * A code given before the authenticator was last verified does not count, because someone may have replaced the
 * caller's authenticator while two-factor authentication was off.
 * @param db the transaction that holds the account's lock
 * @param more.within the maximum age of the code, a PostgreSQL interval
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertCodeGivenSinceAuthenticatorVerified(
  db: Kysely<DatabaseTables>,
  { account, session }: RequestCaller,
  { within = reauthenticationLifetime } = {},
): Promise<void> {
  const { rows } = await sql`
    select from sessions s join totp_secrets t on t.account_id = ${account.id}
    where s.id = ${session.id} and s.second_proved_at >= t.verified_at
      and s.second_proved_at > clock_timestamp() - ${within}::interval`.execute(db)
  if (rows.length === 0) throwFailure('user_challenge_required')
}

/**
 * For actions that could hand an account with two-factor authentication to someone else.
 * @returns the status, for `lockAccountUnlessTwoFactorTurnedOn` in the transaction of the action
 */
export async function assertRecentCodeIfTwoFactorOn(ctx: RequestContext): Promise<{ on: boolean }> {
  const { on } = await selectCallerTwoFactorStatus(ctx)
  if (on && !(await hasSessionReauthenticated(ctx.database.kysely, ctx.caller, 'second_proved_at')))
    throwFailure('user_challenge_required')
  return { on }
}

/**
 * Allows ten attempts an hour per session, so that other sessions can still change the password.
 * @throws Failure 429
 */
export async function verifyCallerPassword(
  ctx: RequestContext,
  { password_hash }: { password_hash: string | null },
  password: string,
): Promise<boolean> {
  const subject = await consumePasswordLimit(ctx)
  const isRight = await verifyPassword(password_hash, password)
  if (isRight) await ctx.limits.reset('password', subject)
  return isRight
}

/** @throws Failure 429 */
export async function consumePasswordLimit({
  request,
  reply,
  caller,
  limits,
}: RequestContext): Promise<string> {
  const subject = `session:${caller.session.id}`
  await limits.consume(request, reply, 'password', { subject })
  return subject
}

export async function reauthenticateWithPassword(ctx: RequestContext, password: string): Promise<void> {
  const { caller, database } = ctx
  const account = await selectCallerAccount(database.kysely, caller)
  if (!(await verifyCallerPassword(ctx, account, password))) {
    throwFailure('user_invalid_credentials', { field: 'password' })
  }
  await database.kysely
    .updateTable('sessions')
    .set({ proved_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', caller.session.id)
    .execute()
}

/** Accepts six digits or a recovery code. */
export async function reauthenticateWithCode(ctx: RequestContext, code: string): Promise<void> {
  await verifyCallerSecondFactorCode(ctx, detectSecondFactorOfCode(code))
  await recordSecondFactorReauthentication(ctx.database.kysely, ctx.caller)
}
