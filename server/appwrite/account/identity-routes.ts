/** Lists, links and removes OAuth2 identities. */
import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import type { OidcProfile } from '#server/auth/oidc-client.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { throwFailure } from '#server/errors.ts'
import {
  type AccountRow,
  findOrCreateVerifiedAccount,
  recordEmailProof,
} from '#server/features/account/account-of-verified-contact.ts'
import { removeConnectedIdentity } from '#server/features/account/connected-identity-routes.ts'
import { admitNewAccount, type RegistrationContext } from '#server/features/community/admit-new-account.ts'
import { generateId } from '#server/ids.ts'
import { registerRoute } from '#server/route.ts'
import { toAppwriteIdentity } from '../build-response-models.ts'
import { isListTotalRequested } from '../queries/queries-parameter.ts'
import { createAppwriteParametersReader } from '../request-parameters.ts'
import { queryModelsInMemory } from './in-memory-list-queries.ts'

/** Per account. */
const mostIdentities = 500

export function registerAppwriteIdentityRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account/identities',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(z.looseObject({})),
    },
    async (query, { caller }) => {
      const rows = await db
        .selectFrom('identities')
        .selectAll()
        .where('account_id', '=', caller.account.id)
        .orderBy('id')
        .limit(mostIdentities)
        .execute()
      const models = rows.map((row) => toAppwriteIdentity(row, caller.account.publicId))
      const { total, page } = queryModelsInMemory(models, query, 'Identity')
      return { total: isListTotalRequested(query) ? total : 0, identities: page }
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'DELETE',
      url: '/v1/account/identities/:identityId',
      who: 'account',
      limit: 'write',
      status: 204,
      input: createAppwriteParametersReader(z.object({ identityId: z.string() })),
    },
    async ({ identityId }, ctx) => {
      if (!(await removeConnectedIdentity(ctx, identityId))) throwFailure('user_identity_not_found')
    },
  )
}

/**
 * Finds or creates the account of a provider's user: by subject, else by verified address, else new. Never an
 * account with that address unverified.
 * @returns whether an existing account gained the identity
 * @throws Failure 401 if the provider verified no address, 409 if an unverified account has it,
 * `user_blocked`
 */
export async function findOrCreateIdentityAccount(
  db: Transaction<DatabaseTables>,
  registration: RegistrationContext,
  provider: string,
  { subject, email, name }: OidcProfile,
): Promise<{ account: AccountRow; linked: boolean }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${subject}`}, 0))`.execute(db)
  const known = await lockKnownAccount(db, provider, subject)
  if (known) return { account: known, linked: false }
  if (email === null) {
    return throwFailure('user_oauth2_unauthorized', {
      message: 'The provider has not verified your email address.',
    })
  }
  const claimed = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (claimed) return throwFailure('user_email_already_exists')
  const account = await findOrCreateVerifiedAccount(
    db,
    registration.request,
    (create) => admitNewAccount(db, registration, create),
    'email',
    email,
    generateId(),
  )
  await db
    .insertInto('identities')
    .values({
      public_id: generateId(),
      account_id: account.id,
      provider,
      provider_uid: subject,
      provider_email: email,
    })
    .execute()
  const { rows } = await sql<{ made: boolean }>`select ${account.created_at} >= now() as made`.execute(db)
  // A new account's first identity was not added to it later.
  const proven = rows[0]?.made ? await recordEmailProof(db, account.id) : account
  const linked = !rows[0]?.made
  if (proven.name !== '' || name === '') return { account: proven, linked }
  const named = await db
    .updateTable('accounts')
    .set({ name })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { account: named, linked }
}

/**
 * Finds and locks the account of a provider's user until the session starts. A concurrent password change,
 * which removes identities, either waits and ends that session or is seen here.
 */
async function lockKnownAccount(
  db: Transaction<DatabaseTables>,
  provider: string,
  subject: string,
): Promise<AccountRow | null> {
  const identity = db
    .selectFrom('identities')
    .select('account_id')
    .where('provider', '=', provider)
    .where('provider_uid', '=', subject)
  const found = await identity.executeTakeFirst()
  if (!found) return null
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', found.account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return account && (await identity.executeTakeFirst()) ? account : null
}
