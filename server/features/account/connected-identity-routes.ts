import type { FastifyInstance } from 'fastify'
import type { getAccountSettingsOperation } from '#contract/account/account-settings.ts'
import { disconnectIdentityOperation } from '#contract/account/provider-sign-in.ts'
import type { OperationOutput } from '#contract/operation.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { isIdentityUsable } from '../../auth/identity-issuers.ts'
import { revokeOneTimeTokensOfKind } from '../../auth/one-time-tokens.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { assertRecentStrongestReauthentication } from './reauthentication.ts'
import { assertSignInMethodRemains } from './remaining-sign-in-methods.ts'
import { lockAccountUnlessTwoFactorTurnedOn } from './second-factor-sign-in.ts'

/** The limit of connected identities per account. */
export const maxIdentities = 500

export function registerConnectedIdentityRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, disconnectIdentityOperation, async ({ identityId }, ctx) => {
    await removeConnectedIdentity(ctx, identityId)
  })
}

export async function listConnectedIdentities({
  caller,
  config,
  database,
}: RequestContext): Promise<OperationOutput<typeof getAccountSettingsOperation>['identities']> {
  const rows = await database.kysely
    .selectFrom('identities as i')
    .select(['public_id', 'provider', 'provider_email', isIdentityUsable(config).as('usable')])
    .where('account_id', '=', caller.account.id)
    .orderBy('id')
    .limit(maxIdentities)
    .execute()
  return rows.map(({ public_id, provider, provider_email, usable }) => ({
    $id: public_id,
    provider,
    email: provider_email,
    usable,
  }))
}

/** @throws Failure 409 `user_last_way_in` */
export async function removeConnectedIdentity(ctx: RequestContext, publicId: string): Promise<boolean> {
  const seen = await assertRecentStrongestReauthentication(ctx)
  const { request, caller, store } = ctx
  return store.transact(async ({ db }) => {
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen)
    const removed = await db
      .deleteFrom('identities')
      .where('account_id', '=', caller.account.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (removed.numDeletedRows === 0n) return false
    await assertSignInMethodRemains(db, ctx, caller.account.id)
    // A secret from the provider may still be waiting to be exchanged for a session.
    await revokeOneTimeTokensOfKind(db, caller.account.id, 'oauth')
    await recordAccountEvent(db, request, caller.account.id, 'identity.delete')
    return true
  })
}
