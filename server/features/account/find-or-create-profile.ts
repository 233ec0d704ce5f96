import { type Kysely, sql } from 'kysely'
import { usernameLengthLimits } from '#contract/limits.ts'
import { type AuthenticatedAccount, refuseNonMember } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { systemActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { findFreeUsername } from './find-free-username.ts'

/**
 * The username is the part of the email address before the at sign, with digits if it is taken or reserved.
 * @throws Failure if the account has no email address
 */
export async function findOrCreateProfile(
  tx: StoreTransaction,
  account: Pick<AuthenticatedAccount, 'id' | 'email' | 'name'>,
): Promise<number> {
  if (account.email === null) return refuseNonMember(account)
  // If two first requests arrive at once, the second finds the profile that the first created.
  await sql`select from accounts where id = ${account.id} for update`.execute(tx.db)
  const existing = await tx.db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  if (existing) return existing.id
  const username = await findFreeUsername(tx.db, usernameFrom(account.email))
  const member = await tx.insert(systemActor, 'users', {
    account_id: account.id,
    // An account may have any name; a member's name must not resemble the operator's.
    name: (await mayBeCalled(tx.db, account.name)) ? account.name : username,
    username,
  })
  return member.id
}

function usernameFrom(email: string): string {
  const [local = ''] = email.split('@')
  const allowed = local.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
  return allowed.slice(0, usernameLengthLimits.max).padEnd(usernameLengthLimits.min, '0')
}

async function mayBeCalled(db: Kysely<DatabaseTables>, name: string): Promise<boolean> {
  const { rows } = await sql<{ reserved: boolean }>`
    select impersonates_operator(${name}, false) as reserved`.execute(db)
  return name !== '' && rows[0]?.reserved === false
}
