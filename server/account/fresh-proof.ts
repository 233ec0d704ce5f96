/**
 * Asks whoever holds a session for a proof that the account is theirs, before what could take it away from its owner: a phone
 * that lies about unlocked must not be enough. Signing in is a proof, and so are the password and a code of the second step;
 * each holds for a while, for the session it was given in alone.
 */
import { type Kysely, sql } from 'kysely'
import { verifyPassword } from '../auth/password-hash.ts'
import type { RequestCaller } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import type { RequestContext } from '../route.ts'
import { selectCallerAccount } from './caller-account-row.ts'
import { assertSecondFactor, selectCallerTwoSteps } from './second-step.ts'

/** A PostgreSQL interval. */
const proofLifetime = '15 minutes'

/** @throws Failure 401 `user_challenge_required` without a proof in this session that still holds */
export async function assertFreshProof(ctx: RequestContext): Promise<void> {
  if (!(await hasFreshProof(ctx))) throwFailure('user_challenge_required')
}

/** Whether a proof was given in this session that still holds. */
export const hasFreshProof = (ctx: RequestContext): Promise<boolean> => isFresh(ctx, 'proved_at')

/**
 * Asks for a code of the second step, where the account has one: whoever knows the password alone changes nothing of it.
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertFreshSecondProof(ctx: RequestContext): Promise<void> {
  const { hasAuthenticator } = await selectCallerTwoSteps(ctx)
  if (!(await isFresh(ctx, hasAuthenticator ? 'second_proved_at' : 'proved_at')))
    throwFailure('user_challenge_required')
}

/**
 * Asks for a code where two steps are on, and for nothing where they are off: before what would let somebody be taken for an owner
 * from whom they are withheld.
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertCodeOfTwoSteps(ctx: RequestContext): Promise<void> {
  const { on } = await selectCallerTwoSteps(ctx)
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

/** Takes the account's password as a proof. @throws Failure 401 `user_invalid_credentials`, 429 */
export async function proveByPassword(ctx: RequestContext, password: string): Promise<void> {
  const { request, reply, caller, limits, database } = ctx
  await limits.consume(request, reply, 'password')
  const account = await selectCallerAccount(database.kysely, caller)
  if (!(await verifyPassword(account.password_hash, password))) {
    throwFailure('user_invalid_credentials', { field: 'password' })
  }
  await database.kysely
    .updateTable('sessions')
    .set({ proved_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', caller.session.id)
    .execute()
}

/** Takes a code of the second step as a proof, six digits or a recovery code. @throws Failure 401 `user_invalid_token`, 429 */
export async function proveByCode(ctx: RequestContext, code: string): Promise<void> {
  await assertSecondFactor(ctx, { factor: /^\d{6}$/.test(code) ? 'totp' : 'recoverycode', code })
  await recordSecondProof(ctx.database.kysely, ctx.caller)
}

/** Records that a code of the second step was right in the caller's session. */
export async function recordSecondProof(
  db: Kysely<DatabaseTables>,
  { session }: RequestCaller,
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await db
    .updateTable('sessions')
    .set({ proved_at: now, second_proved_at: now })
    .where('id', '=', session.id)
    .execute()
}
