/** Who she is at OAuth2 providers (platform reference §5.1). */
import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { noteEvent } from '../account-record.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import type { ProvenPerson } from '../oauth.ts'
import type { Parts } from '../parts.ts'
import { type AccountRow, accountOfProven } from '../proven-address.ts'
import { serveAccountCall } from './account-calls.ts'
import { listed } from './account-paging.ts'
import { identityModel } from './models.ts'
import { wantsTotal } from './query-parameters.ts'

/** Of one account; each is another provider's or another person's there. */
const mostIdentities = 500

export function identityCalls(app: FastifyInstance, parts: Parts): void {
  const db = parts.database.kysely

  serveAccountCall(app, parts, {
    method: 'GET',
    paths: ['/identities'],
    who: 'signed-in',
    limit: 'read',
    status: 200,
    input: z.looseObject({}),
    async answer(query, { caller }) {
      const rows = await db
        .selectFrom('identities')
        .selectAll()
        .where('account_id', '=', caller.account.id)
        .orderBy('id')
        .limit(mostIdentities)
        .execute()
      const models = rows.map((row) => identityModel(row, caller.account.publicId))
      const { total, page } = listed(models, query, 'Identity')
      return { total: wantsTotal(query) ? total : 0, identities: page }
    },
  })

  serveAccountCall(app, parts, {
    method: 'DELETE',
    paths: ['/identities/:identityId'],
    who: 'signed-in',
    limit: 'write',
    status: 204,
    input: z.object({ identityId: z.string() }),
    answer: ({ identityId }, { request, caller, store }) =>
      store.transact(async ({ db }) => {
        const removed = await db
          .deleteFrom('identities')
          .where('account_id', '=', caller.account.id)
          .where('public_id', '=', identityId)
          .executeTakeFirst()
        if (removed.numDeletedRows === 0n) fail('user_identity_not_found')
        await noteEvent(db, request, caller.account.id, 'identity.delete')
      }),
  })
}

/**
 * The account of whoever a provider says she is: known by the provider's subject; else the account that has proven the
 * same address, or a new one. Never one that merely claims the address (security reference S05).
 * @throws Failure 401 when the provider vouches for no address, 409 when an unverified account has it, `user_blocked`
 */
export async function accountOfIdentity(
  db: Transaction<Tables>,
  provider: string,
  { subject, email, name }: ProvenPerson,
): Promise<AccountRow> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${subject}`}, 0))`.execute(db)
  const known = await db
    .selectFrom('identities as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .selectAll('a')
    .where('i.provider', '=', provider)
    .where('i.provider_uid', '=', subject)
    .executeTakeFirst()
  if (known) return known.status === 'blocked' ? fail('user_blocked') : known
  if (email === null) {
    return fail('user_oauth2_unauthorized', { message: 'The provider has not verified your e-mail address.' })
  }
  const claimed = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (claimed) return fail('user_email_already_exists')
  const account = await accountOfProven(db, 'email', email, newId())
  await db
    .insertInto('identities')
    .values({
      public_id: newId(),
      account_id: account.id,
      provider,
      provider_uid: subject,
      provider_email: email,
    })
    .execute()
  if (account.name !== '' || name === '') return account
  return db
    .updateTable('accounts')
    .set({ name })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
