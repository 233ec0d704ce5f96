/** Signing in, entering the password or using a second factor re-authenticates a session. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { selectTwoFactorStatus } from './second-factors.ts'
import type { RequestCaller } from './session.ts'

export const reauthenticationLifetime = '15 minutes'

/** @param proof `second_proved_at` counts only the use of a second factor */
export async function hasSessionReauthenticated(
  db: Kysely<DatabaseTables>,
  { session }: Pick<RequestCaller, 'session'>,
  column: 'proved_at' | 'second_proved_at',
): Promise<boolean> {
  const { rows } = await sql`
    select from sessions
    where id = ${session.id} and ${sql.ref(column)} > clock_timestamp() - ${reauthenticationLifetime}::interval`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * With two-factor authentication, a password alone cannot change its settings. An authenticator that was
 * never used may be a stranger's, so it locks nobody out.
 * @returns the factors
 * @throws Failure 401 `user_challenge_required`
 */
export async function assertSessionReauthenticatedByStrongest(
  db: Kysely<DatabaseTables>,
  caller: RequestCaller,
): Promise<Awaited<ReturnType<typeof selectTwoFactorStatus>>> {
  const twoSteps = await selectTwoFactorStatus(db, caller.account.id)
  if (!(await hasSessionReauthenticated(db, caller, twoSteps.on ? 'second_proved_at' : 'proved_at')))
    throwFailure('user_challenge_required')
  return twoSteps
}
