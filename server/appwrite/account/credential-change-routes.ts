import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import { maxTextLength } from '#contract/text-length.ts'
import type { AppContext } from '#server/app-context.ts'
import { checkAndHashNewPassword } from '#server/auth/password-hash.ts'
import { throwFailure } from '#server/errors.ts'
import { sendAccountNoticeEmail } from '#server/features/account/account-security-notices.ts'
import { closeCallerAccount } from '#server/features/account/close-account.ts'
import { replaceUnverifiedEmail, requestEmailChange } from '#server/features/account/email-change.ts'
import { buildServerEmailLink } from '#server/features/account/email-link-urls.ts'
import {
  type AccountRow,
  releaseUnverifiedAddress,
} from '#server/features/account/give-account-to-verified-owner.ts'
import { replacePassword, toPersonalDetails } from '#server/features/account/password-change.ts'
import {
  assertRecentCodeIfTwoFactorOn,
  assertRecentReauthentication,
  consumePasswordLimit,
  verifyCallerPassword,
} from '#server/features/account/reauthentication.ts'
import {
  assertSignInMethodRemains,
  hasSignInMethod,
} from '#server/features/account/remaining-sign-in-methods.ts'
import { lockAccountUnlessTwoFactorTurnedOn } from '#server/features/account/second-factor-sign-in.ts'
import {
  type AccountUpdate,
  databaseNowSql,
  selectCallerAccount,
  updateCallerAccount,
} from '#server/features/account/update-caller-account.ts'
import { type RequestContext, registerRoute } from '#server/route.ts'
import { toAppwriteAccount } from '../build-response-models.ts'
import { createAppwriteParametersReader, phoneNumberSchema } from '../request-parameters.ts'

export function registerAppwriteCredentialChangeRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely

  /**
   * An unverified address changes at once. A verified address changes when the owner of the new mailbox
   * confirms (email-change.ts, decision 0120). The sign-up rate limit applies, because this also reveals
   * which addresses are taken.
   */
  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/email',
      who: 'account',
      limit: 'sign-up',
      status: 200,
      input: createAppwriteParametersReader(
        z.object({ email: fields.emailSchema, password: fields.passwordSchema }),
      ),
    },
    async ({ email, password }, ctx) => {
      const before = await selectCallerAccount(db, ctx.caller)
      const verified = await reenter(ctx, before, password)
      const account = before.email_verified
        ? await requestEmailChange(ctx, before, email, verified, { linkTo: buildServerEmailLink })
        : await replaceUnverifiedEmail(ctx, before, { email, email_verified: false, ...verified })
      return toAppwriteAccount(account)
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/phone',
      who: 'account',
      limit: 'sign-up',
      status: 200,
      input: createAppwriteParametersReader(
        z.object({ phone: phoneNumberSchema, password: fields.passwordSchema }),
      ),
    },
    async ({ phone, password }, ctx) => {
      const { request, caller, store } = ctx
      const before = await selectCallerAccount(db, caller)
      const change = { phone, phone_verified: false, ...(await reenter(ctx, before, password)) }
      const seen = await assertRecentCodeIfTwoFactorOn(ctx)
      const account = await store.transact(async ({ db }) => {
        await lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen)
        if (before.phone !== phone) await releaseUnverifiedAddress(db, 'phone', phone)
        const wasOpened = await hasSignInMethod(db, ctx, caller.account.id)
        const changed = await updateCallerAccount(db, request, caller, change, {
          checked: before,
          taken: 'user_phone_already_exists',
        })
        // Nobody can sign in with an unverified number.
        if (wasOpened) await assertSignInMethodRemains(db, ctx, caller.account.id)
        return changed
      })
      if (before.phone !== phone) await sendAccountNoticeEmail(ctx, account, 'phone-added')
      return toAppwriteAccount(account)
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/password',
      who: 'account',
      limit: 'write',
      status: 200,
      input: createAppwriteParametersReader(
        z.object({
          password: fields.passwordSchema,
          oldPassword: z.optional(z.string().check(maxTextLength(256))),
        }),
      ),
    },
    async ({ password, oldPassword = '' }, ctx) => {
      const account = await selectCallerAccount(db, ctx.caller)
      if (account.password_hash === null) await assertMayChooseFirstPassword(ctx, account)
      else if (!(await verifyCallerPassword(ctx, account, oldPassword))) {
        return throwFailure('user_invalid_credentials')
      }
      return toAppwriteAccount(await replacePassword(ctx, account, password))
    },
  )

  /**
   * Closes the account until an operator opens it again. Requires the password or a session that began
   * recently, because Appwrite clients can re-authenticate only by signing in again. With two-factor
   * authentication, also requires a code.
   */
  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/status',
      who: 'account',
      limit: 'write',
      status: 200,
      input: createAppwriteParametersReader(
        z.object({ password: z.optional(z.string().check(maxTextLength(256))) }),
      ),
    },
    async ({ password }, ctx) => {
      await confirmClosing(ctx, await selectCallerAccount(db, ctx.caller), password)
      const seen = await assertRecentCodeIfTwoFactorOn(ctx)
      return toAppwriteAccount(await closeCallerAccount(ctx, { forAWhile: false }, seen))
    },
  )
}

/** For this many minutes, a new session counts as re-authentication. */
const freshMinutes = 10

/**
 * A session alone does not allow closing the account, because it may be stolen.
 * @throws Failure 401 `user_invalid_credentials`
 */
async function confirmClosing(
  ctx: RequestContext,
  account: AccountRow,
  password: string | undefined,
): Promise<void> {
  const { caller, database } = ctx
  if (isAnonymous(account)) return
  if (password !== undefined) {
    if (await verifyCallerPassword(ctx, account, password)) return
    return throwFailure('user_invalid_credentials')
  }
  const { rows } = await sql`
    select from sessions
    where id = ${caller.session.id} and created_at > clock_timestamp() - ${`${freshMinutes} minutes`}::interval`.execute(
    database.kysely,
  )
  if (rows.length === 0) throwFailure('user_invalid_credentials')
}

const isAnonymous = ({ email, phone }: AccountRow) => email === null && phone === null

/**
 * Otherwise the thief of a session could take over the account by choosing its first password. An anonymous
 * account belongs to its session. Counts as a password attempt, because the server hashes a password.
 * @throws Failure 401 `user_challenge_required`, 429
 */
async function assertMayChooseFirstPassword(ctx: RequestContext, account: AccountRow): Promise<void> {
  await consumePasswordLimit(ctx)
  if (!isAnonymous(account)) await assertRecentReauthentication(ctx)
}

/**
 * Checks the password. An account without a password gets this one.
 * @returns further values to write
 * @throws Failure 401 `user_invalid_credentials`, `user_challenge_required`
 */
async function reenter(ctx: RequestContext, account: AccountRow, password: string): Promise<AccountUpdate> {
  if (account.password_hash === null) {
    await assertMayChooseFirstPassword(ctx, account)
    const password_hash = await checkAndHashNewPassword(password, toPersonalDetails(ctx.caller, account))
    return { password_hash, password_updated_at: databaseNowSql }
  }
  if (await verifyCallerPassword(ctx, account, password)) return {}
  return throwFailure('user_invalid_credentials')
}
