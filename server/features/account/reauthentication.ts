/**
 * Asks whoever holds a session for a proof that the account is theirs, before what could take it away from its owner: a phone
 * that lies about unlocked must not be enough. Signing in is a proof, and so are the password and a code of the second step;
 * each holds for a while, for the session it was given in alone.
 */
import { type Kysely, sql } from 'kysely'
import { verifyPassword } from '../../auth/password-hash.ts'
import { detectSecondFactorOfCode } from '../../auth/second-factors.ts'
import type { RequestCaller } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import type { RequestContext } from '../../route.ts'
import { selectCallerAccount } from './caller-account-row.ts'
import {
  recordSecondFactorReauthentication,
  selectCallerTwoStepStatus,
  verifyCallerSecondFactorCode,
} from './second-factor-sign-in.ts'

/** A PostgreSQL interval. */
const proofLifetime = '15 minutes'

/** Refuses without a proof in this session that still holds. @throws Failure 401 `user_challenge_required` */
export async function assertRecentReauthentication(ctx: RequestContext): Promise<void> {
  if (!(await hasRecentReauthentication(ctx))) throwFailure('user_challenge_required')
}

/** Whether a proof was given in this session that still holds. */
export const hasRecentReauthentication = (ctx: RequestContext): Promise<boolean> => isFresh(ctx, 'proved_at')

/**
 * Asks for a code of the second step where two steps are on, and for any proof where they are off: whoever knows the password alone changes
 * nothing of them. An authenticator that counts for nothing yet may be a stranger's, and keeps the owner from nothing.
 * @returns the factors as they were looked at
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertRecentStrongestReauthentication(
  ctx: RequestContext,
): Promise<Awaited<ReturnType<typeof selectCallerTwoStepStatus>>> {
  const twoSteps = await selectCallerTwoStepStatus(ctx)
  if (!(await isFresh(ctx, twoSteps.on ? 'second_proved_at' : 'proved_at')))
    throwFailure('user_challenge_required')
  return twoSteps
}

/**
 * Asks for a code that was given in this session since the authenticator was verified: while two steps are off, another may have taken
 * the place of the one that the caller set up, and what was begun without a code is not finished without one.
 * @param db of the transaction that holds the lock on the account
 * @param more.within a PostgreSQL interval, how old the code may be
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertCodeGivenSinceAuthenticatorVerified(
  db: Kysely<DatabaseTables>,
  { account, session }: RequestCaller,
  { within = proofLifetime } = {},
): Promise<void> {
  const { rows } = await sql`
    select from sessions s join totp_secrets t on t.account_id = ${account.id}
    where s.id = ${session.id} and s.second_proved_at >= t.verified_at
      and s.second_proved_at > clock_timestamp() - ${within}::interval`.execute(db)
  if (rows.length === 0) throwFailure('user_challenge_required')
}

/**
 * Asks for a code where two steps are on, and for nothing where they are off: before what would let somebody be taken for an owner
 * from whom they are withheld.
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertRecentCodeIfTwoStepsOn(ctx: RequestContext): Promise<void> {
  const { on } = await selectCallerTwoStepStatus(ctx)
  if (on && !(await isFresh(ctx, 'second_proved_at'))) throwFailure('user_challenge_required')
}

async function isFresh(
  { caller, database }: RequestContext,
  proof: 'proved_at' | 'second_proved_at',
): Promise<boolean> {
  const { rows } = await sql`
    select from sessions
    where id = ${caller.session.id} and ${sql.ref(proof)} > clock_timestamp() - ${proofLifetime}::interval`.execute(
    database.kysely,
  )
  return rows.length > 0
}

/**
 * Verifies the account's password for whoever holds a session of it, ten times an hour, as signing in does. By session: in the others the
 * owner is not kept from changing the password.
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

/** Counts a password that the caller's session gives. @returns the key it is counted by @throws Failure 429 */
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

/** Takes the account's password as a proof. @throws Failure 401 `user_invalid_credentials`, 429 */
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

/** Takes a code of the second step as a proof, six digits or a recovery code. @throws Failure 401 `user_invalid_token`, 429 */
export async function reauthenticateWithCode(ctx: RequestContext, code: string): Promise<void> {
  await verifyCallerSecondFactorCode(ctx, detectSecondFactorOfCode(code))
  await recordSecondFactorReauthentication(ctx.database.kysely, ctx.caller)
}
