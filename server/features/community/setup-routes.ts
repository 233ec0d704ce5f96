import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { checkSetupLinkOperation, setUpCommunityOperation } from '#contract/community/community.ts'
import type { AppContext } from '../../app-context.ts'
import { createAccount } from '../../auth/create-account.ts'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { checkAndHashNewPassword } from '../../auth/password-hash.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { registerRoute } from '../../route.ts'
import { systemActor } from '../../store/actor.ts'
import { writeCommunitySettings } from './community-settings.ts'

export function registerCommunitySetupRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, checkSetupLinkOperation, async ({ secret }, { database }) => {
    await requireSetupLink(database.kysely, secret)
  })

  registerRoute(app, context, setUpCommunityOperation, async ({ secret, community, account }, ctx) => {
    const { request, store, database } = ctx
    await requireSetupLink(database.kysely, secret)
    const { name, username, email } = account
    const passwordHash = await checkAndHashNewPassword(account.password, { name, username, email })
    const made = await store.transact(async (tx) => {
      await requireSetupLink(tx.db, secret, sql`for update`)
      await writeCommunitySettings(tx.db, community)
      const made = await createAccount(tx.db, request, { publicId: generateId(), name, email, passwordHash })
      await sql`
        update accounts set labels = array['operator'], rules_seen = (select rules_version from community)
        where id = ${made.id}`.execute(tx.db)
      await sql`update community set set_up_at = clock_timestamp(), setup_hashes = '{}'`.execute(tx.db)
      const member = await tx.insert(systemActor, 'users', { account_id: made.id, name, username })
      return { $id: member.public_id, accountId: made.public_id }
    })
    await context.identity.refresh()
    return made
  })
}

/** @throws Failure 404 if the secret is wrong or the instance is already set up */
async function requireSetupLink(
  db: Kysely<DatabaseTables>,
  secret: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<void> {
  const { rows } = await sql`
    select from community where ${hashSecretSha256(secret)} = any(setup_hashes) and set_up_at is null ${lock}`.execute(
    db,
  )
  if (rows.length === 0) throwFailure('general_route_not_found')
}
