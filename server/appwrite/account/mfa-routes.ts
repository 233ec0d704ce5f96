import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { normalizeTypedCode } from '#contract/account/normalize-typed-code.ts'
import { maxTextLength, minTextLength } from '#contract/text-length.ts'
import type { AppContext } from '#server/app-context.ts'
import { recordAccountEvent } from '#server/auth/account-audit-log.ts'
import { revokeTrustOfAllBrowsers } from '#server/auth/known-browsers.ts'
import {
  replaceRecoveryCodes,
  revokeRecoveryCodesOfOtherSessions,
  type SecondFactor,
  selectTwoFactorStatus,
} from '#server/auth/second-factors.ts'
import { lockCallersAccount } from '#server/auth/session.ts'
import { formatIsoTimestamp } from '#server/database/iso-timestamp.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { throwFailure } from '#server/errors.ts'
import { sendAccountNoticeEmail } from '#server/features/account/account-security-notices.ts'
import { recordEndOfTwoFactor } from '#server/features/account/end-two-factor.ts'
import {
  assertCodeGivenSinceAuthenticatorVerified,
  assertRecentStrongestReauthentication,
} from '#server/features/account/reauthentication.ts'
import {
  finishPendingSignIn,
  lockAccountUnlessTwoFactorTurnedOn,
  recordSecondFactorReauthentication,
  selectCallerTwoFactorStatus,
  verifyCallerSecondFactorCode,
} from '#server/features/account/second-factor-sign-in.ts'
import {
  beginCallerAuthenticatorSetup,
  confirmCallerAuthenticatorSetup,
  renewCallerRecoveryCodes,
  turnOffTwoFactor,
} from '#server/features/account/two-factor-authentication-routes.ts'
import { selectCallerAccount } from '#server/features/account/update-caller-account.ts'
import { generateId } from '#server/ids.ts'
import { type RequestContext, registerRoute } from '#server/route.ts'
import { toAppwriteAccount, toAppwriteSession } from '../build-response-models.ts'
import { createAppwriteParametersReader, emptyParametersSchema } from '../request-parameters.ts'

const code = z.string().check(maxTextLength(64), z.overwrite(normalizeTypedCode), minTextLength(1))
const ofType = { type: z.enum(['totp']) }
const offeredFactors = ['totp', 'recoverycode'] as const
/** The Appwrite API knows these factors, but Juntas refuses them. */
const otherFactors = ['email', 'phone', 'custom'] as const

const accountOf = async ({ database, caller }: RequestContext) =>
  toAppwriteAccount(await selectCallerAccount(database.kysely, caller))

export function registerAppwriteMfaRoutes(app: FastifyInstance, context: AppContext): void {
  const authenticator = '/v1/account/mfa/authenticators/:type'
  const recoveryCodes = '/v1/account/mfa/recovery-codes'
  const challenges = ['/v1/account/mfa/challenges', '/v1/account/mfa/challenge']
  const route = { who: 'account', limit: 'write' } as const
  const nothing = createAppwriteParametersReader(emptyParametersSchema)

  /**
   * Turning two-factor authentication on requires a verified authenticator and then a code in this session,
   * so that nobody turns on someone else's authenticator.
   */
  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'PATCH',
      url: '/v1/account/mfa',
      status: 200,
      input: createAppwriteParametersReader(z.object({ mfa: z.boolean() })),
    },
    async ({ mfa }, ctx) => {
      const { request, caller, store, database } = ctx
      const { id } = caller.account
      const seen = await selectCallerTwoFactorStatus(ctx)
      if (seen.on && !mfa) await assertRecentStrongestReauthentication(ctx)
      const isChanged = await store.transact(async ({ db }) => {
        await (mfa ? lockCallersAccount(db, caller) : lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen))
        const { on, hasAuthenticator } = await selectTwoFactorStatus(db, id)
        if (hasAuthenticator && !on && mfa) {
          await assertCodeGivenSinceAuthenticatorVerified(db, caller)
          await revokeRecoveryCodesOfOtherSessions(db, id, caller.session.publicId, { sinceOff: true })
        }
        await db.updateTable('accounts').set({ mfa }).where('id', '=', id).execute()
        if (!hasAuthenticator || on === mfa) return false
        await revokeTrustOfAllBrowsers(db, id)
        if (mfa) await recordAccountEvent(db, request, id, 'mfa.create')
        else await recordEndOfTwoFactor(db, request, id)
        return true
      })
      if (isChanged && !mfa)
        await sendAccountNoticeEmail(ctx, await selectCallerAccount(database.kysely, caller), 'two-steps-off')
      return accountOf(ctx)
    },
  )

  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'GET',
      limit: 'read',
      url: '/v1/account/mfa/factors',
      allowsPending: true,
      status: 200,
      input: nothing,
    },
    async (_input, ctx) => {
      const { hasAuthenticator, codesLeft } = await selectCallerTwoFactorStatus(ctx)
      return { totp: hasAuthenticator, phone: false, email: false, recoveryCode: codesLeft > 0 }
    },
  )

  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'POST',
      url: authenticator,
      status: 201,
      input: createAppwriteParametersReader(z.object(ofType)),
    },
    (_input, ctx) => beginCallerAuthenticatorSetup(ctx),
  )

  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'PUT',
      url: authenticator,
      status: 200,
      input: createAppwriteParametersReader(z.object({ ...ofType, otp: code })),
    },
    async ({ otp }, ctx) => {
      await confirmCallerAuthenticatorSetup(ctx, otp, { turnOn: false })
      return accountOf(ctx)
    },
  )

  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'DELETE',
      url: authenticator,
      status: 204,
      input: createAppwriteParametersReader(z.object(ofType)),
    },
    async (_input, ctx) => {
      if (!(await turnOffTwoFactor(ctx))) throwFailure('user_authenticator_not_found')
    },
  )

  registerRoute(
    app,
    context,
    { ...route, method: 'POST', url: recoveryCodes, status: 201, input: nothing },
    async (_input, ctx) => {
      const { request, caller, store } = ctx
      const { codesLeft } = await selectCallerTwoFactorStatus(ctx)
      if (codesLeft > 0) throwFailure('user_recovery_codes_already_exists')
      const { on } = await assertRecentStrongestReauthentication(ctx)
      return {
        recoveryCodes: await store.transact(async ({ db }) => {
          await lockAccountUnlessTwoFactorTurnedOn(db, ctx, { on })
          await recordAccountEvent(db, request, caller.account.id, 'mfa.codes')
          return replaceRecoveryCodes(db, caller)
        }),
      }
    },
  )

  registerRoute(
    app,
    context,
    { ...route, method: 'PATCH', url: recoveryCodes, status: 200, input: nothing },
    async (_input, ctx) => ({ recoveryCodes: await renewCallerRecoveryCodes(ctx) }),
  )

  /** Existing recovery codes cannot be returned, because only their hashes are stored. */
  registerRoute(
    app,
    context,
    { ...route, method: 'GET', limit: 'read', url: recoveryCodes, status: 200, input: nothing },
    async () => throwFailure('user_recovery_codes_not_found'),
  )

  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'POST',
      url: challenges,
      allowsPending: true,
      status: 201,
      input: createAppwriteParametersReader(
        z.object({ factor: z.enum([...offeredFactors, ...otherFactors]) }),
      ),
    },
    async ({ factor }, { caller, database }) => {
      const offered = offeredFactors.find((name) => name === factor)
      if (!offered) return throwFailure('user_auth_method_unsupported')
      const challenge = await database.kysely
        .insertInto('challenges')
        .values({ public_id: generateId(), session_id: caller.session.id, factor: offered })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toChallenge(challenge, caller.account.publicId)
    },
  )

  registerRoute(
    app,
    context,
    {
      ...route,
      method: 'PUT',
      url: challenges,
      limit: 'sign-in',
      allowsPending: true,
      status: 200,
      input: createAppwriteParametersReader(z.object({ challengeId: z.string(), otp: code })),
    },
    async ({ challengeId, otp }, ctx) => {
      const { caller, database } = ctx
      const factor = await consumeChallengeAttempt(ctx, challengeId)
      await verifyCallerSecondFactorCode(ctx, { factor, code: otp })
      await sql`update challenges set used_at = clock_timestamp() where public_id = ${challengeId}`.execute(
        database.kysely,
      )
      if (caller.session.pending) await finishPendingSignIn(ctx, factor)
      else await recordSecondFactorReauthentication(database.kysely, caller)
      const found = await database.kysely
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', caller.session.id)
        .executeTakeFirst()
      const session = found ?? throwFailure('user_session_not_found')
      return toAppwriteSession(session, {
        accountId: caller.account.publicId,
        current: true,
        country: await ctx.countries.find(session.ip),
      })
    },
  )
}

/**
 * Counts an attempt. Never call this in a transaction that a refusal rolls back.
 * @throws Failure 401 `user_invalid_token` if the challenge is answered, expired, or another session's
 */
async function consumeChallengeAttempt(
  { caller, database }: RequestContext,
  challengeId: string,
): Promise<SecondFactor> {
  const { rows } = await sql<{ factor: SecondFactor }>`
    update challenges set attempts = attempts + 1
    where public_id = ${challengeId} and session_id = ${caller.session.id} and used_at is null and attempts < 5
      and expires_at > clock_timestamp()
    returning factor`.execute(database.kysely)
  return rows[0]?.factor ?? throwFailure('user_invalid_token')
}

const toChallenge = (row: Selectable<DatabaseTables['challenges']>, accountId: string) => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  userId: accountId,
  expire: formatIsoTimestamp(row.expires_at),
})
