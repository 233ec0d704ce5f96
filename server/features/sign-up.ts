/** Serves signing up: an account and its member's profile, both or neither. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { signUpOperation } from '#contract/sign-up-and-sign-in.ts'
import type { AppContext } from '../app-context.ts'
import { recordAccountEvent } from '../auth/account-audit-log.ts'
import { checkAndHashNewPassword } from '../auth/password-hash.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { generateId } from '../ids.ts'
import { registerRoute } from '../route.ts'
import { systemActor } from '../store/actor.ts'

export function registerSignUpRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    signUpOperation,
    async ({ name, username, email, password }, { request, store }) => {
      const passwordHash = await checkAndHashNewPassword(password, { name, username, email })
      return store.transact(async (tx) => {
        const given = { publicId: generateId(), name, email, passwordHash }
        const account = await createAccountWithoutProfile(tx.db, request, given)
        const member = await tx.insert(systemActor, 'users', { account_id: account.id, name, username })
        return { $id: member.public_id, accountId: account.public_id }
      })
    },
  )
}

/**
 * Creates an account without a profile, and records it.
 * @throws Failure 409 through the unique constraints, when the id or the e-mail address is taken
 */
export async function createAccountWithoutProfile(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  given: { publicId: string; name: string; email: string; passwordHash: string },
) {
  const account = await db
    .insertInto('accounts')
    .values({
      public_id: given.publicId,
      name: given.name,
      email: given.email,
      password_hash: given.passwordHash,
      password_updated_at: sql<Date>`clock_timestamp()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAccountEvent(db, request, account.id, 'user.create')
  return account
}
