import type { FastifyInstance } from 'fastify'
import * as settings from '#contract/account/account-settings.ts'
import { completeSecondStepOperation } from '#contract/account/sign-up-and-sign-in.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import {
  beginAuthenticatorSetup,
  consumeSecondFactor,
  replaceRecoveryCodes,
  revokeRecoveryCodesOfOtherSessions,
} from '../../auth/second-factors.ts'
import { lockCallersAccount } from '../../auth/session.ts'
import { throwFailure } from '../../errors.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { sendAccountNoticeEmail } from './account-security-notices.ts'
import { assertRecentReauthentication, assertRecentStrongestReauthentication } from './reauthentication.ts'
import {
  consumeSecondFactorAttempt,
  finishPendingSignIn,
  lockAccountUnlessTwoFactorTurnedOn,
  recordSecondFactorReauthentication,
  selectCallerTwoFactorStatus,
  turnOffTwoFactorInTransaction,
  verifyCallerSecondFactorCode,
} from './second-factor-sign-in.ts'
import { toCreatedSessionResponse } from './session-routes.ts'
import { databaseNowSql, selectCallerAccount } from './update-caller-account.ts'

export function registerTwoFactorVerificationRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, settings.beginAuthenticatorOperation, (_input, ctx) =>
    beginCallerAuthenticatorSetup(ctx),
  )

  registerRoute(app, context, settings.turnOnTwoFactorOperation, async ({ code }, ctx) => {
    await confirmCallerAuthenticatorSetup(ctx, code, { turnOn: true })
    if ((await selectCallerTwoFactorStatus(ctx)).codesLeft > 0) return { recoveryCodes: null }
    return {
      recoveryCodes: await ctx.store.transact(async ({ db }) => {
        await lockCallersAccount(db, ctx.caller)
        return replaceRecoveryCodes(db, ctx.caller)
      }),
    }
  })

  registerRoute(app, context, settings.turnOffTwoFactorOperation, async (_input, ctx) => {
    await turnOffTwoFactor(ctx)
  })

  registerRoute(app, context, settings.renewRecoveryCodesOperation, async (_input, ctx) => ({
    recoveryCodes: await renewCallerRecoveryCodes(ctx),
  }))

  registerRoute(app, context, completeSecondStepOperation, async (given, ctx) => {
    if (!ctx.caller.session.pending) throwFailure('user_session_not_found')
    await consumeSecondFactorAttempt(ctx)
    await verifyCallerSecondFactorCode(ctx, given)
    const turnOff = given.factor === 'recoverycode' && given.turnOff
    return toCreatedSessionResponse(
      await finishPendingSignIn(ctx, given.factor, { ...given, turnOff, allowsClosed: true }),
    )
  })
}

export async function beginCallerAuthenticatorSetup(
  ctx: RequestContext,
): Promise<{ secret: string; uri: string }> {
  await assertRecentReauthentication(ctx)
  const { caller, identity, instanceKey, store } = ctx
  const { name: communityName } = await identity.read()
  return store.transact(async ({ db }) => {
    // A concurrent request that turns two-factor authentication on waits for this lock, or has already
    // finished.
    await lockCallersAccount(db, caller)
    const { email, name } = await selectCallerAccount(db, caller)
    const about = { accountId: caller.account.id, label: email ?? name, communityName }
    return beginAuthenticatorSetup(db, instanceKey, about)
  })
}

/**
 * The code also re-authenticates the caller's session with the second factor.
 * @param options.turnOn also turns two-factor authentication on; clients of the Appwrite API use a separate
 * call
 */
export async function confirmCallerAuthenticatorSetup(
  ctx: RequestContext,
  code: string,
  { turnOn }: { turnOn: boolean },
): Promise<void> {
  await assertRecentReauthentication(ctx)
  const { request, caller, database, instanceKey, store } = ctx
  const accountId = caller.account.id
  const begun = await database.kysely
    .selectFrom('totp_secrets')
    .select('sealed')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const isRight = await consumeSecondFactor(database.kysely, instanceKey, caller, {
    factor: 'totp',
    code,
    verified: false,
  })
  if (!isRight || !begun) return throwFailure('user_invalid_token')
  await store.transact(async ({ db }) => {
    await lockCallersAccount(db, caller)
    const verified = await db
      .updateTable('totp_secrets')
      .set({ verified_at: databaseNowSql })
      .where('account_id', '=', accountId)
      .where('verified_at', 'is', null)
      // Someone else may have begun to set up another authenticator since `begun` was read.
      .where('sealed', '=', begun.sealed)
      .executeTakeFirst()
    if (verified.numUpdatedRows === 0n) throwFailure('user_invalid_token')
    if (turnOn) await db.updateTable('accounts').set({ mfa: true }).where('id', '=', accountId).execute()
    await revokeTrustOfAllBrowsers(db, accountId)
    await revokeRecoveryCodesOfOtherSessions(db, accountId, caller.session.publicId)
    await recordSecondFactorReauthentication(db, caller)
    await recordAccountEvent(db, request, accountId, 'mfa.create')
  })
  await sendAccountNoticeEmail(ctx, await selectCallerAccount(database.kysely, caller), 'two-steps-on')
}

export async function turnOffTwoFactor(ctx: RequestContext): Promise<boolean> {
  const { on } = await assertRecentStrongestReauthentication(ctx)
  const { caller, database, store } = ctx
  const wasOn = await store.transact(async ({ db }) => {
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, { on })
    return turnOffTwoFactorInTransaction(db, ctx)
  })
  if (wasOn)
    await sendAccountNoticeEmail(ctx, await selectCallerAccount(database.kysely, caller), 'two-steps-off')
  return wasOn
}

export async function renewCallerRecoveryCodes(ctx: RequestContext): Promise<string[]> {
  const { on, hasAuthenticator } = await assertRecentStrongestReauthentication(ctx)
  if (!hasAuthenticator) throwFailure('user_authenticator_not_found')
  const { request, caller, store } = ctx
  return store.transact(async ({ db }) => {
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, { on })
    await revokeTrustOfAllBrowsers(db, caller.account.id)
    await recordAccountEvent(db, request, caller.account.id, 'mfa.codes')
    return replaceRecoveryCodes(db, caller)
  })
}
