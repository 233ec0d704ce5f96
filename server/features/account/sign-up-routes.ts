import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { AppContext } from '../../app-context.ts'
import { createAccount } from '../../auth/create-account.ts'
import { checkAndHashNewPassword, verifyPassword } from '../../auth/password-hash.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { registerRoute } from '../../route.ts'
import { systemActor } from '../../store/actor.ts'
import { admitNewAccount } from '../community/admit-new-account.ts'
import { eraseApplication, findApplicant } from '../community/applications.ts'
import { readCommunitySettings } from '../community/community-settings.ts'
import { sendSignUpEmail } from './email-verification.ts'

export function registerSignUpRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    signUpOperation,
    async ({ name, username, email, password, invite, rulesVersion = 0, welcome = false }, ctx) => {
      const { request, config, database, store } = ctx
      const community = await readCommunitySettings(database.kysely, config)
      if (community.rules.length > 0 && rulesVersion !== community.rulesVersion)
        throwFailure('rules_unseen', { field: 'rulesVersion' })
      const passwordHash = await checkAndHashNewPassword(password, { name, username, email })
      const { account, member } = await store.transact(async (tx) => {
        const given = { publicId: generateId(), name, email, passwordHash, rulesSeen: rulesVersion }
        const account = await admitNewAccount(tx.db, { request, config, invite }, async () => {
          if (invite) await endOwnApplication(tx.db, email, password)
          return createAccount(tx.db, request, given)
        })
        const member = await tx.insert(systemActor, 'users', {
          account_id: account.id,
          name,
          username,
          welcome_due: welcome,
        })
        return { account, member }
      })
      await sendSignUpEmail(ctx, { ...account, email })
      return { $id: member.public_id, accountId: account.public_id }
    },
  )
}

/**
 * Applicants who have an invitation need no decision. If they sign up with the same password, their
 * application ends.
 */
async function endOwnApplication(db: Kysely<DatabaseTables>, email: string, password: string): Promise<void> {
  const applicant = await findApplicant(db, email)
  if (applicant && (await verifyPassword(applicant.password_hash, password)))
    await eraseApplication(db, applicant)
}
