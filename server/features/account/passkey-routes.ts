import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { maxPasskeys } from '#contract/account/passkey-limits.ts'
import * as contract from '#contract/account/passkeys.ts'
import type { PasskeyAssertion } from '#contract/account/webauthn-json.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { endOpenInvitations } from '../../auth/end-open-invitations.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import { revokeOneTimeTokens } from '../../auth/one-time-tokens.ts'
import { getPasskeyHost } from '../../auth/passkey-host.ts'
import * as passkeys from '../../auth/passkeys.ts'
import { selectTwoFactorStatus } from '../../auth/second-factors.ts'
import { lockCallersAccount, revokeSessions } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { sendAccountNoticeEmail } from './account-security-notices.ts'
import {
  assertCodeGivenSinceAuthenticatorVerified,
  assertRecentStrongestReauthentication,
} from './reauthentication.ts'
import {
  assertEnoughSignInMethodsWithoutPassword,
  assertSignInMethodRemains,
} from './remaining-sign-in-methods.ts'
import {
  finishPendingSignIn,
  lockAccountUnlessTwoFactorTurnedOn,
  recordSecondFactorReauthentication,
  selectCallerTwoFactorStatus,
} from './second-factor-sign-in.ts'
import {
  type CreatedSession,
  createSessionReplacingCurrent,
  sendSessionCookiesAndNotices,
  toCreatedSessionResponse,
} from './session-routes.ts'
import { selectCallerAccount } from './update-caller-account.ts'

export function registerPasskeyRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, contract.beginPasskeySignInOperation, async (_input, ctx) =>
    passkeys.createPasskeyRequestOptions(ctx.database.kysely, siteOf(ctx), { for: 'sign-in' }),
  )

  registerRoute(app, context, contract.signInByPasskeyOperation, async ({ assertion }, ctx) =>
    toCreatedSessionResponse(await signInByPasskey(ctx, assertion)),
  )

  registerRoute(app, context, contract.beginPasskeyReauthenticationOperation, async (_input, ctx) =>
    passkeys.createPasskeyRequestOptions(ctx.database.kysely, siteOf(ctx), {
      for: 'proof',
      session: ctx.caller.session,
    }),
  )

  registerRoute(app, context, contract.reauthenticateByPasskeyOperation, async ({ assertion }, ctx) => {
    await assertPasskey(ctx, { for: 'proof', session: ctx.caller.session }, assertion)
    await recordSecondFactorReauthentication(ctx.database.kysely, ctx.caller)
  })

  registerRoute(app, context, contract.listSecondStepFactorsOperation, async (_input, ctx) => {
    const { hasAuthenticator, codesLeft } = await selectCallerTwoFactorStatus(ctx)
    const hasPasskey =
      getPasskeyHost(ctx.config) !== null &&
      (await passkeys.countPasskeys(ctx.database.kysely, ctx.caller.account.id)) > 0
    return {
      factors: [
        ...(hasAuthenticator ? (['totp'] as const) : []),
        ...(codesLeft > 0 ? (['recoverycode'] as const) : []),
        ...(hasPasskey ? (['passkey'] as const) : []),
      ],
    }
  })

  registerRoute(app, context, contract.completeSecondStepByPasskeyOperation, async (given, ctx) => {
    if (!ctx.caller.session.pending) throwFailure('user_session_not_found')
    await assertPasskey(ctx, { for: 'proof', session: ctx.caller.session }, given.assertion)
    const { trustBrowser } = given
    return toCreatedSessionResponse(
      await finishPendingSignIn(ctx, 'passkey', { trustBrowser, allowsClosed: true }),
    )
  })

  registerRoute(app, context, contract.listPasskeysOperation, async (_input, { caller, database }) => {
    const rows = await database.kysely
      .selectFrom('passkeys')
      .selectAll()
      .where('account_id', '=', caller.account.id)
      .orderBy('id')
      .limit(maxPasskeys)
      .execute()
    return { documents: rows.map(toPasskey) }
  })

  registerRoute(app, context, contract.beginPasskeyOperation, async (_input, ctx) => {
    const { caller, database, identity } = ctx
    const site = siteOf(ctx)
    await assertRecentStrongestReauthentication(ctx)
    if ((await passkeys.countPasskeys(database.kysely, caller.account.id)) >= maxPasskeys)
      throwFailure('passkey_limit')
    const { email, name } = await selectCallerAccount(database.kysely, caller)
    return passkeys.createPasskeyRegistrationOptions(database.kysely, site, {
      accountId: caller.account.id,
      session: caller.session,
      name: email ?? caller.member?.username ?? name,
      displayName: caller.member?.name ?? name,
      communityName: (await identity.read()).name,
    })
  })

  registerRoute(app, context, contract.addPasskeyOperation, (given, ctx) => addPasskey(ctx, given))

  registerRoute(
    app,
    context,
    contract.renamePasskeyOperation,
    async ({ passkeyId, name }, { caller, database }) => {
      const renamed = await database.kysely
        .updateTable('passkeys')
        .set({ name })
        .where('account_id', '=', caller.account.id)
        .where('public_id', '=', passkeyId)
        .returningAll()
        .executeTakeFirst()
      return renamed ? toPasskey(renamed) : throwFailure('passkey_not_found')
    },
  )

  registerRoute(app, context, contract.removePasskeyOperation, async ({ passkeyId }, ctx) => {
    const seen = await assertRecentStrongestReauthentication(ctx)
    if (await removePasskey(ctx, passkeyId, seen)) await notifyOwner(ctx, 'passkey-removed')
  })

  registerRoute(app, context, contract.removePasswordOperation, async (_input, ctx) => {
    const seen = await assertRecentStrongestReauthentication(ctx)
    if (await removePassword(ctx, seen)) await notifyOwner(ctx, 'password-removed')
    ctx.live.notify([])
  })
}

function siteOf(ctx: RequestContext): passkeys.PasskeySite {
  const host = getPasskeyHost(ctx.config) ?? throwFailure('passkeys_unavailable')
  return { host, origin: getPublicUrlForRequest(ctx.request, ctx) }
}

async function notifyOwner(
  ctx: RequestContext,
  kind: 'passkey-added' | 'passkey-removed' | 'password-removed',
): Promise<void> {
  await sendAccountNoticeEmail(ctx, await selectCallerAccount(ctx.database.kysely, ctx.caller), kind)
}

/** If the passkey's counter decreases, notifies the owner, because someone has a copy of the passkey. */
async function assertPasskey(
  ctx: RequestContext,
  purpose: passkeys.PasskeyPurpose,
  assertion: PasskeyAssertion,
): Promise<passkeys.UsedPasskey> {
  const db = ctx.database.kysely
  const used = await passkeys.verifyPasskey(db, siteOf(ctx), purpose, assertion)
  if (!used.isCopy) return used
  await recordAccountEvent(db, ctx.request, used.accountId, 'passkey.refused')
  await sendAccountNoticeEmail(ctx, await selectAccount(ctx, used), 'passkey-refused')
  return throwFailure('passkey_invalid')
}

const selectAccount = ({ database }: RequestContext, { accountId }: passkeys.UsedPasskey) =>
  database.kysely.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()

async function signInByPasskey(ctx: RequestContext, assertion: PasskeyAssertion): Promise<CreatedSession> {
  const used = await assertPasskey(ctx, { for: 'sign-in' }, assertion)
  const created = await ctx.store.transact(async ({ db }) => {
    // Removing the passkey or closing the account waits for this lock, or has already happened.
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', used.accountId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!account || !(await passkeys.isPasskeyStillRegistered(db, used)))
      return throwFailure('passkey_unknown')
    return createSessionReplacingCurrent(db, ctx, account, {
      provider: 'passkey',
      providerUid: used.publicId,
      verifiesBothFactors: true,
      allowsClosed: true,
    })
  })
  await sendSessionCookiesAndNotices(ctx, created)
  return created
}

/** The lifetime of a re-authentication, plus the time that the browser allows for adding the passkey. */
const codeBeforePasskey = '25 minutes'

async function addPasskey(
  ctx: RequestContext,
  { attestation, name }: { attestation: Parameters<typeof passkeys.verifyNewPasskey>[3]; name: string },
): Promise<contract.Passkey> {
  const { request, caller, database, store } = ctx
  const site = siteOf(ctx)
  const made = await passkeys.verifyNewPasskey(database.kysely, site, caller.session, attestation)
  const accountId = caller.account.id
  const added = await store.transact(async ({ db }) => {
    await lockCallersAccount(db, caller)
    if ((await selectTwoFactorStatus(db, accountId)).on)
      await assertCodeGivenSinceAuthenticatorVerified(db, caller, { within: codeBeforePasskey })
    if ((await passkeys.countPasskeys(db, accountId)) >= maxPasskeys) throwFailure('passkey_limit')
    const added = await db
      .insertInto('passkeys')
      .values({ ...made, public_id: generateId(), account_id: accountId, rp_id: site.host, name })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!added) return throwFailure('passkey_invalid')
    await revokeTrustOfAllBrowsers(db, accountId)
    await recordAccountEvent(db, request, accountId, 'passkey.create')
    return added
  })
  await notifyOwner(ctx, 'passkey-added')
  return toPasskey(added)
}

const removePasskey = (ctx: RequestContext, publicId: string, seen: { on: boolean }): Promise<boolean> =>
  ctx.store.transact(async ({ db }) => {
    const { request, caller } = ctx
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen)
    const { numDeletedRows } = await db
      .deleteFrom('passkeys')
      .where('account_id', '=', caller.account.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await assertSignInMethodRemains(db, ctx, caller.account.id)
    await revokeTrustOfAllBrowsers(db, caller.account.id)
    await recordAccountEvent(db, request, caller.account.id, 'passkey.delete')
    return true
  })

const removePassword = (ctx: RequestContext, seen: { on: boolean }): Promise<boolean> =>
  ctx.store.transact(async ({ db }) => {
    const { request, caller } = ctx
    const accountId = caller.account.id
    await lockAccountUnlessTwoFactorTurnedOn(db, ctx, seen)
    const { numUpdatedRows } = await db
      .updateTable('accounts')
      .set({ password_hash: null, password_updated_at: null })
      .where('id', '=', accountId)
      .where('password_hash', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await assertEnoughSignInMethodsWithoutPassword(db, ctx, accountId)
    await revokeTrustOfAllBrowsers(db, accountId)
    await revokeOneTimeTokens(db, accountId)
    await revokeSessions(db, accountId, { except: caller.session.id })
    await endOpenInvitations(db, accountId)
    await recordAccountEvent(db, request, accountId, 'password.delete')
    return true
  })

/** Common passkey managers by authenticator kind (AAGUID). Without attestation, the AAGUID proves nothing. */
const keepers: Partial<Record<string, string>> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'Apple Passwords',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
}

function toPasskey(row: Selectable<DatabaseTables['passkeys']>): contract.Passkey {
  const isKey =
    !row.backed_up && ['usb', 'nfc', 'ble'].some((transport) => row.transports.includes(transport))
  return {
    $id: row.public_id,
    name: row.name,
    keeper: keepers[row.aaguid] ?? null,
    kind: isKey ? 'security-key' : 'device',
    addedAt: formatIsoTimestamp(row.created_at),
    usedAt: row.used_at && formatIsoTimestamp(row.used_at),
  }
}
