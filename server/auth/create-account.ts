import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { recordAccountEvent } from './account-audit-log.ts'

/**
 * Creates an account without a profile, and records it. `admitNewAccount` decides first whether it may.
 * @throws Failure 409 if the id or the email address is taken
 */
export async function createAccount(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  given: { publicId: string; name: string; email: string; passwordHash: string; rulesSeen?: number },
) {
  const account = await db
    .insertInto('accounts')
    .values({
      public_id: given.publicId,
      name: given.name,
      email: given.email,
      password_hash: given.passwordHash,
      password_updated_at: sql<Date>`clock_timestamp()`,
      rules_seen: given.rulesSeen,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAccountEvent(db, request, account.id, 'user.create')
  return account
}
