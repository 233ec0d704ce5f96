import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Selectable, Transaction } from 'kysely'
import {
  getCurrentSessionOperation,
  signInOperation,
  signOutOperation,
} from '#contract/account/sign-up-and-sign-in.ts'
import type { AppContext } from '../../app-context.ts'
import { readUserAgentHeader, recordAccountEvent } from '../../auth/account-audit-log.ts'
import { reopenAccount } from '../../auth/account-reopening.ts'
import {
  findPasswordAttemptRateLimitKey,
  isKnownBrowser,
  type RememberedBrowser,
  readBrowserCookie,
  rememberBrowser,
  revokeTrustOfAllBrowsers,
  setBrowserCookie,
} from '../../auth/known-browsers.ts'
import { verifyPassword } from '../../auth/password-hash.ts'
import { createSession, deletePushSubscriptionOfSession, lockCallersAccount } from '../../auth/session.ts'
import { clearSessionCookie, setSessionCookie } from '../../auth/session-cookie.ts'
import { assertAccountOpen } from '../../auth/suspended-and-closed-accounts.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { readLanguageCookie, setLanguageCookie } from '../../http/request-language.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { findApplicant } from '../community/applications.ts'
import {
  notifyOwnerOfKnownPassword,
  sendAccountNoticeEmail,
  sendNewDeviceEmail,
} from './account-security-notices.ts'
import type { AccountRow } from './give-account-to-verified-owner.ts'

/** The browser receives the token only after the commit. */
export type CreatedSession = {
  account: AccountRow
  token: string
  session: Selectable<DatabaseTables['sessions']>
  /** Null while the session waits for its second factor. */
  browser: string | null
  reopened: boolean
}

export function registerSessionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, signInOperation, async (credentials, ctx) => {
    return toCreatedSessionResponse(await signInWithPassword(ctx, credentials, true))
  })

  registerRoute(app, context, getCurrentSessionOperation, async (_input, { caller }) => ({
    $id: caller.session.publicId,
    accountId: caller.account.publicId,
  }))

  registerRoute(app, context, signOutOperation, async (_input, ctx) => {
    await endSession(ctx, ctx.caller.session.publicId)
    ctx.live.notify([])
  })
}

/**
 * @param allowsClosed allows signing in to a closed account, to open or keep it
 * @throws Failure 401 `user_invalid_credentials`, the same for an unknown address; 429
 */
export async function signInWithPassword(
  ctx: RequestContext,
  { email, password }: { email: string; password: string },
  allowsClosed = false,
): Promise<CreatedSession> {
  const verified = await verifyAccountPassword(ctx, { email, password }, { revealsApplication: true })
  const created = await ctx.store.transact(async ({ db }) => {
    const account = await lockAccountUnlessPasswordOrEmailChanged(db, verified)
    return createSessionReplacingCurrent(db, ctx, account, {
      provider: 'email',
      providerUid: email,
      allowsClosed,
    })
  })
  await sendSessionCookiesAndNotices(ctx, created)
  return created
}

/**
 * @param more.isMeant if false for an account, the attempt counts as a wrong password, so that attackers do not
 * learn which attempt was correct
 * @param more.tellsApplicant whether the failure gives the state of an application to join
 * @throws Failure 401 `user_invalid_credentials`, the same for an unknown address; 403 `application_waiting`,
 * `application_declined`; 429
 */
export async function verifyAccountPassword(
  { request, reply, config, limits, database }: RequestContext,
  { email, password }: { email: string; password: string },
  {
    isMeant = async () => true,
    revealsApplication = false,
  }: { isMeant?: (account: AccountRow) => Promise<boolean>; revealsApplication?: boolean } = {},
): Promise<AccountRow> {
  const db = database.kysely
  const attemptKey = await findPasswordAttemptRateLimitKey(db, request, config, email)
  await limits.consume(request, reply, 'sign-in-address', { subject: attemptKey })
  const account = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst()
  // This query runs even if an account exists, so that the statements do not reveal which addresses have one.
  const applicant = revealsApplication ? await findApplicant(db, email) : undefined
  const isPasswordCorrect = await verifyPassword((account ?? applicant)?.password_hash ?? null, password)
  if (!account && applicant && isPasswordCorrect) {
    await limits.reset('sign-in-address', attemptKey)
    return throwFailure(`application_${applicant.state}`)
  }
  if (!account || !isPasswordCorrect || !(await isMeant(account)))
    return throwFailure('user_invalid_credentials')
  await limits.reset('sign-in-address', attemptKey)
  return account
}

/**
 * A concurrent password change waits for this lock, finds the new session and ends it.
 * @throws Failure 401 `user_invalid_credentials` if the password or address changed
 */
export async function lockAccountUnlessPasswordOrEmailChanged(
  db: Transaction<DatabaseTables>,
  { id, email, password_hash }: AccountRow,
): Promise<AccountRow> {
  const unchanged = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('email', '=', email)
    .where('password_hash', '=', password_hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return unchanged ?? throwFailure('user_invalid_credentials')
}

/**
 * With two-factor authentication, the browser is remembered only after the second factor. The first factor
 * alone reveals nothing about an account that is not open.
 * @param account the account's row, which must be locked
 * @param origin.remembered the browser, if this request has already remembered it
 * @param origin.allowsClosed as for `signInWithPassword`
 * @throws Failure as `assertAccountOpen`, for a session without a second factor
 */
export async function createSessionReplacingCurrent(
  db: Transaction<DatabaseTables>,
  { request, config }: Pick<RequestContext, 'request' | 'config'>,
  account: AccountRow,
  {
    remembered,
    allowsClosed = false,
    ...origin
  }: {
    provider: string
    providerUid?: string
    verifiesBothFactors?: boolean
    remembered?: RememberedBrowser
    allowsClosed?: boolean
  },
): Promise<CreatedSession> {
  if (request.caller) {
    await deletePushSubscriptionOfSession(db, request.caller.session.id)
    await db.deleteFrom('sessions').where('id', '=', request.caller.session.id).execute()
  }
  const browser = readBrowserCookie(request, config)
  const created = await createSession(
    db,
    { id: account.id, publicId: account.public_id },
    {
      ...origin,
      ip: request.ip,
      userAgent: readUserAgentHeader(request),
      browser,
      known: remembered?.known ?? (await isKnownBrowser(db, browser, account.id)),
    },
  )
  // A pending session is recorded only when it is complete.
  if (created.session.pending_until !== null) return { account, ...created, browser: null, reopened: false }
  await assertAccountOpen(db, account, allowsClosed)
  return {
    account,
    ...created,
    ...(await recordWholeSession(db, { request, config }, account, { remembered })),
  }
}

/**
 * Opens a temporarily closed account. If the account has no language, sets the one chosen before sign-in.
 * @param browser.trusted the browser skips the second factor for thirty days
 */
export async function recordWholeSession(
  db: Transaction<DatabaseTables>,
  { request, config }: Pick<RequestContext, 'request' | 'config'>,
  account: AccountRow,
  { remembered, trusted }: { remembered?: RememberedBrowser | undefined; trusted?: boolean },
): Promise<Pick<CreatedSession, 'browser' | 'reopened'>> {
  await recordAccountEvent(db, request, account.id, 'session.create')
  const language = readLanguageCookie(request)
  if (language && account.language === null)
    await db.updateTable('accounts').set({ language }).where('id', '=', account.id).execute()
  return {
    reopened: account.reopens_on_sign_in && (await reopenAccountAndRecord(db, request, account.id)),
    browser: remembered?.browser ?? (await rememberBrowser(db, request, config, account.id, { trusted })),
  }
}

async function reopenAccountAndRecord(
  db: Transaction<DatabaseTables>,
  request: FastifyRequest,
  accountId: number,
): Promise<boolean> {
  if (!(await reopenAccount(db, accountId))) return false
  await recordAccountEvent(db, request, accountId, 'user.reopen')
  return true
}

export const toCreatedSessionResponse = ({ account, session }: CreatedSession) => ({
  $id: session.public_id,
  accountId: account.public_id,
  secondStep: session.pending_until !== null,
})

/** Sends no email about an account's first session. */
export async function sendSessionCookiesAndNotices(
  ctx: Pick<RequestContext, 'request' | 'reply'> & AppContext,
  { account, token, session, browser, reopened }: CreatedSession,
): Promise<void> {
  const { request, reply, config } = ctx
  setSessionCookie(reply, config, {
    token,
    expires: session.pending_until ?? session.expires_at,
    foreignOrigin: request.foreignOrigin,
  })
  if (browser === null) return
  if (account.language && !request.foreignOrigin) setLanguageCookie(request, reply, config, account.language)
  setBrowserCookie(reply, config, browser)
  if (reopened) await sendAccountNoticeEmail(ctx, account, 'account-reopened')
  if (!session.from_known_browser && account.first_session_at !== null)
    await sendNewDeviceEmail(ctx, account, session)
}

/** @throws Failure 404 `user_session_not_found`, the same for another account's session */
export async function endSession(ctx: RequestContext, publicId: string): Promise<void> {
  const { request, reply, caller, config } = ctx
  // The holder of a pending session knew the password but did not enter the second factor.
  if (caller.session.pending) {
    if (publicId !== caller.session.publicId) throwFailure('user_more_factors_required')
    await notifyOwnerOfKnownPassword(ctx)
  }
  if (!(await deleteSessionOfCallersAccount(ctx, publicId))) throwFailure('user_session_not_found')
  if (publicId === caller.session.publicId) clearSessionCookie(reply, config, request.foreignOrigin)
}

/**
 * If another session ends this session, the device may be lost, so every browser must use the second factor
 * again.
 */
export const deleteSessionOfCallersAccount = (
  { request, caller, store }: RequestContext,
  publicId: string,
): Promise<boolean> =>
  store.transact(async ({ db }) => {
    const isOwn = publicId === caller.session.publicId
    await (isOwn ? deletePushSubscriptionOfSession(db, caller.session.id) : lockCallersAccount(db, caller))
    const deleted = await db
      .deleteFrom('sessions')
      .where('account_id', '=', caller.account.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) return false
    if (!isOwn) await revokeTrustOfAllBrowsers(db, caller.account.id)
    if (!caller.session.pending) await recordAccountEvent(db, request, caller.account.id, 'session.delete')
    return true
  })
