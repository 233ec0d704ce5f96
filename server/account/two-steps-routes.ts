/** Serves two steps: turning them on and off, recovery codes, and the second step of signing in. */
import type { FastifyInstance } from 'fastify'
import * as settings from '#contract/account-settings.ts'
import { completeSecondStepOperation } from '#contract/sign-up-and-sign-in.ts'
import type { AppContext } from '../app-context.ts'
import { recordAccountEvent } from '../auth/account-audit-log.ts'
import { endBrowserTrust } from '../auth/known-browsers.ts'
import { beginAuthenticator, consumeSecondFactor, replaceRecoveryCodes } from '../auth/second-factors.ts'
import { throwFailure } from '../errors.ts'
import { sendAccountNoticeEmail } from '../features/account-alarms.ts'
import { toCreatedSessionResponse } from '../features/sessions.ts'
import { type RequestContext, registerRoute } from '../route.ts'
import { databaseNowSql, selectCallerAccount } from './caller-account-row.ts'
import { assertFreshProof, assertFreshSecondProof, recordSecondProof } from './fresh-proof.ts'
import {
  assertSecondFactor,
  consumeStepAttempt,
  finishPendingSignIn,
  selectCallerTwoSteps,
  turnOffTwoStepsInTransaction,
} from './second-step.ts'

export function registerTwoStepRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, settings.beginAuthenticatorOperation, (_input, ctx) =>
    beginCallerAuthenticator(ctx),
  )

  registerRoute(app, context, settings.turnOnTwoStepsOperation, async ({ code }, ctx) => {
    await verifyCallerAuthenticator(ctx, code, { turnOn: true })
    if ((await selectCallerTwoSteps(ctx)).codesLeft > 0) return { recoveryCodes: null }
    return {
      recoveryCodes: await ctx.store.transact(({ db }) => replaceRecoveryCodes(db, ctx.caller.account.id)),
    }
  })

  registerRoute(app, context, settings.turnOffTwoStepsOperation, async (_input, ctx) => {
    await turnOffTwoSteps(ctx)
  })

  registerRoute(app, context, settings.renewRecoveryCodesOperation, async (_input, ctx) => ({
    recoveryCodes: await renewCallerRecoveryCodes(ctx),
  }))

  registerRoute(app, context, completeSecondStepOperation, async (given, ctx) => {
    if (!ctx.caller.session.pending) throwFailure('user_session_not_found')
    await consumeStepAttempt(ctx)
    await assertSecondFactor(ctx, given)
    const turnOff = given.factor === 'recoverycode' && given.turnOff
    return toCreatedSessionResponse(await finishPendingSignIn(ctx, given.factor, { ...given, turnOff }))
  })
}

/** @throws Failure 401 `user_challenge_required`, 409 `totp_on` */
export async function beginCallerAuthenticator(
  ctx: RequestContext,
): Promise<{ secret: string; uri: string }> {
  await assertFreshProof(ctx)
  const { caller, database, instanceKey } = ctx
  const { email, name } = await selectCallerAccount(database.kysely, caller)
  return beginAuthenticator(database.kysely, instanceKey, {
    accountId: caller.account.id,
    label: email ?? name,
  })
}

/**
 * Takes the first code of the app that was begun: from then on it counts, and the caller's session has proven it.
 * @param options.turnOn asks for it from now on, which clients of the dialect do by a call of its own
 * @throws Failure 401 `user_challenge_required`, `user_invalid_token`; 429
 */
export async function verifyCallerAuthenticator(
  ctx: RequestContext,
  code: string,
  { turnOn }: { turnOn: boolean },
): Promise<void> {
  await assertFreshProof(ctx)
  const { request, caller, database, instanceKey, store } = ctx
  const accountId = caller.account.id
  const isRight = await consumeSecondFactor(database.kysely, instanceKey, caller, {
    factor: 'totp',
    code,
    verified: false,
  })
  if (!isRight) throwFailure('user_invalid_token')
  await store.transact(async ({ db }) => {
    const verified = await db
      .updateTable('totp_secrets')
      .set({ verified_at: databaseNowSql })
      .where('account_id', '=', accountId)
      .where('verified_at', 'is', null)
      .executeTakeFirst()
    if (verified.numUpdatedRows === 0n) throwFailure('user_invalid_token')
    if (turnOn) await db.updateTable('accounts').set({ mfa: true }).where('id', '=', accountId).execute()
    await endBrowserTrust(db, accountId)
    await recordSecondProof(db, caller)
    await recordAccountEvent(db, request, accountId, 'mfa.create')
  })
  await sendAccountNoticeEmail(ctx, await selectCallerAccount(database.kysely, caller), 'two-steps-on')
}

/** Forgets both factors. @throws Failure 401 `user_challenge_required` */
export async function turnOffTwoSteps(ctx: RequestContext): Promise<boolean> {
  await assertFreshSecondProof(ctx)
  const { caller, database, store } = ctx
  const wasOn = await store.transact(({ db }) => turnOffTwoStepsInTransaction(db, ctx))
  if (wasOn)
    await sendAccountNoticeEmail(ctx, await selectCallerAccount(database.kysely, caller), 'two-steps-off')
  return wasOn
}

/** @throws Failure 401 `user_challenge_required`, 404 `user_authenticator_not_found` */
export async function renewCallerRecoveryCodes(ctx: RequestContext): Promise<string[]> {
  await assertFreshSecondProof(ctx)
  if (!(await selectCallerTwoSteps(ctx)).hasAuthenticator) throwFailure('user_authenticator_not_found')
  const { request, caller, store } = ctx
  return store.transact(async ({ db }) => {
    await endBrowserTrust(db, caller.account.id)
    await recordAccountEvent(db, request, caller.account.id, 'mfa.codes')
    return replaceRecoveryCodes(db, caller.account.id)
  })
}
