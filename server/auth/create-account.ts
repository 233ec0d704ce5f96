import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { recordAccountEvent, recordAccountEventWithoutRequest } from './account-audit-log.ts'

/**
 * Creates no profile. Call `admitNewAccount` first.
 * @param request null if another person's request creates the account
 * @throws Failure 409 if the id or the email address is taken
 */
export async function createAccount(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest | null,
  given: {
    publicId: string
    name: string
    email: string
    passwordHash: string
    rulesSeen?: number
    /** The time at which the mailbox's owner confirmed the address. */
    emailConfirmedAt?: Date | null
  },
) {
  const account = await db
    .insertInto('accounts')
    .values({
      public_id: given.publicId,
      name: given.name,
      email: given.email,
      email_verified: Boolean(given.emailConfirmedAt),
      email_proven_at: given.emailConfirmedAt,
      password_hash: given.passwordHash,
      password_updated_at: sql<Date>`clock_timestamp()`,
      rules_seen: given.rulesSeen,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (request) await recordAccountEvent(db, request, account.id, 'user.create')
  else await recordAccountEventWithoutRequest(db, account.id, 'user.create')
  return account
}
