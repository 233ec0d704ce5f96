/**
 * Asks whoever holds a session for a proof that the account is theirs, before what could take it away from its owner: a phone
 * that lies about unlocked must not be enough. Signing in is a proof, and so is the password; each holds for a while, for the
 * session it was given in alone.
 */
import { sql } from 'kysely'
import { verifyPassword } from '../auth/password-hash.ts'
import { throwFailure } from '../errors.ts'
import type { RequestContext } from '../route.ts'
import { selectCallerAccount } from './account-update.ts'

/** A PostgreSQL interval. */
const proofLifetime = '15 minutes'

/** @throws Failure 401 `user_challenge_required` without a proof in this session that still holds */
export async function assertFreshProof(ctx: RequestContext): Promise<void> {
  if (!(await hasFreshProof(ctx))) throwFailure('user_challenge_required')
}

/** Whether a proof was given in this session that still holds. */
export async function hasFreshProof({ caller, database }: RequestContext): Promise<boolean> {
  const { rows } = await sql`
    select from sessions
    where id = ${caller.session.id} and proved_at > clock_timestamp() - ${proofLifetime}::interval`.execute(
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
