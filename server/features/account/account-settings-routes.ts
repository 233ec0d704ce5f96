import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as settings from '#contract/account/account-settings.ts'
import type { AppContext } from '../../app-context.ts'
import { revokeOneTimeTokensOfKind } from '../../auth/one-time-tokens.ts'
import { getPasskeyHost } from '../../auth/passkey-host.ts'
import { countPasskeys } from '../../auth/passkeys.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { throwFailure } from '../../errors.ts'
import { setLanguageCookie } from '../../http/request-language.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { closeCallerAccount } from './close-account.ts'
import { listConnectedIdentities } from './connected-identity-routes.ts'
import { listCallerDevices } from './device-routes.ts'
import { replaceUnverifiedEmail, requestEmailChange } from './email-change.ts'
import { buildWebEmailLink } from './email-link-urls.ts'
import { sendVerificationEmail } from './email-verification.ts'
import { replacePassword } from './password-change.ts'
import { listSignInProviders } from './provider-sign-in-routes.ts'
import {
  assertRecentCodeIfTwoFactorOn,
  assertRecentReauthentication,
  reauthenticateWithCode,
  reauthenticateWithPassword,
  verifyCallerPassword,
} from './reauthentication.ts'
import { selectCallerTwoFactorStatus } from './second-factor-sign-in.ts'
import { selectCallerAccount } from './update-caller-account.ts'
import { findNextUsernameChangeTime } from './username-routes.ts'

export function registerAccountSettingsRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, settings.getAccountSettingsOperation, async (_input, ctx) => {
    const { caller, database, config, outbox } = ctx
    const account = await selectCallerAccount(database.kysely, caller)
    const devices = await listCallerDevices(ctx)
    const twoSteps = await selectCallerTwoFactorStatus(ctx)
    return {
      email: account.email,
      emailVerified: account.email_verified,
      pendingEmail: await findPendingEmail(ctx),
      hasPassword: account.password_hash !== null,
      passwordUpdatedAt: account.password_updated_at && formatIsoTimestamp(account.password_updated_at),
      deviceCount: devices.length,
      newestDevice: devices.toSorted((a, b) => b.signedInAt.localeCompare(a.signedInAt))[0] ?? null,
      mail: config.smtpUrl !== undefined || outbox !== null,
      twoSteps: {
        on: twoSteps.on,
        since: twoSteps.on && twoSteps.since ? formatIsoTimestamp(twoSteps.since) : null,
        recoveryCodesLeft: twoSteps.codesLeft,
      },
      passkeyCount:
        getPasskeyHost(config) === null ? null : await countPasskeys(database.kysely, caller.account.id),
      usernameFixedUntil: await findNextUsernameChangeTime(ctx),
      identities: await listConnectedIdentities(ctx),
      providers: listSignInProviders(config),
    }
  })

  registerRoute(app, context, settings.reauthenticateOperation, async ({ password, code }, ctx) => {
    await (code === undefined
      ? reauthenticateWithPassword(ctx, password ?? '')
      : reauthenticateWithCode(ctx, code))
  })

  registerRoute(app, context, settings.closeAccountOperation, async (_input, ctx) => {
    await assertRecentReauthentication(ctx)
    await closeCallerAccount(ctx, { forAWhile: true }, await assertRecentCodeIfTwoFactorOn(ctx))
  })

  registerRoute(app, context, settings.setLanguageOperation, async ({ language }, ctx) => {
    const { request, reply, caller, config, database } = ctx
    await database.kysely
      .updateTable('accounts')
      .set({ language })
      .where('id', '=', caller.account.id)
      .execute()
    setLanguageCookie(request, reply, config, language)
  })

  registerRoute(
    app,
    context,
    settings.changePasswordOperation,
    async ({ currentPassword, password }, ctx) => {
      const { caller, database, live } = ctx
      const account = await selectCallerAccount(database.kysely, caller)
      if (account.password_hash === null) await assertRecentReauthentication(ctx)
      else if (!(await verifyCallerPassword(ctx, account, currentPassword ?? '')))
        throwFailure('user_invalid_credentials', { field: 'currentPassword' })
      await replacePassword(ctx, account, password)
      live.notify([])
    },
  )

  registerRoute(app, context, settings.requestEmailChangeOperation, async ({ email, password }, ctx) => {
    await (password === undefined
      ? assertRecentReauthentication(ctx)
      : reauthenticateWithPassword(ctx, password))
    const before = await selectCallerAccount(ctx.database.kysely, ctx.caller)
    if (before.email_verified) {
      const options = { linkTo: buildWebEmailLink, notifiesHolder: true }
      await requestEmailChange(ctx, before, email, {}, options)
      return { email: before.email ?? '', pendingEmail: email === before.email ? null : email }
    }
    const after = await replaceUnverifiedEmail(ctx, before, { email, email_verified: false })
    return { email: after.email ?? '', pendingEmail: null }
  })

  registerRoute(app, context, settings.cancelEmailChangeOperation, async (_input, { caller, store }) => {
    await store.transact(({ db }) => revokeOneTimeTokensOfKind(db, caller.account.id, 'email-change'))
  })

  registerRoute(app, context, settings.requestEmailConfirmationOperation, async (_input, ctx) => {
    await sendVerificationEmail(ctx, (linkParameters) =>
      buildWebEmailLink(ctx.request, ctx, 'verification', linkParameters),
    )
  })
}

async function findPendingEmail({ caller, database }: RequestContext): Promise<string | null> {
  const { rows } = await sql<{ sent_to: string }>`
    select sent_to from tokens
    where account_id = ${caller.account.id} and kind = 'email-change' and used_at is null and expires_at > clock_timestamp()
    order by id desc limit 1`.execute(database.kysely)
  return rows[0]?.sent_to ?? null
}
