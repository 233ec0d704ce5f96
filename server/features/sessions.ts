/** Serves signing in with a password, and signing out: one session for the web app and clients of the dialect. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Selectable, Transaction } from 'kysely'
import {
  getCurrentSessionOperation,
  signInOperation,
  signOutOperation,
} from '#contract/sign-up-and-sign-in.ts'
import type { AppContext } from '../app-context.ts'
import { readUserAgentHeader, recordAccountEvent } from '../auth/account-audit-log.ts'
import { reopenAccount, whereAccountMaySignIn } from '../auth/closing-accounts.ts'
import {
  isKnownBrowser,
  passwordAttemptKey,
  type RememberedBrowser,
  readBrowserCookie,
  rememberBrowser,
  setBrowserCookie,
} from '../auth/known-browsers.ts'
import { verifyPassword } from '../auth/password-hash.ts'
import { createSession, stopRingingOwnBrowser } from '../auth/session.ts'
import { clearSessionCookie, setSessionCookie } from '../auth/session-cookie.ts'
import { assertAccountOpen } from '../auth/suspensions.ts'
import type { AccountRow } from '../auth/verified-contact.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { readLanguageCookie, setLanguageCookie } from '../http/request-language.ts'
import { type RequestContext, registerRoute } from '../route.ts'
import { alarmAboutKnownPassword, sendAccountNoticeEmail, sendNewDeviceEmail } from './account-alarms.ts'

/** A created session; its token is sent to the browser only after the commit. */
export type CreatedSession = {
  account: AccountRow
  token: string
  session: Selectable<DatabaseTables['sessions']>
  /** What the browser is known by from now on; null while the session waits for its second step. */
  browser: string | null
  /** Whether it opened an account that was closed for a while. */
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
 * Verifies a password, creates a session and sends it to the browser.
 * @param allowsClosed whether a closed account may be signed in to, to open it or to keep it
 * @throws Failure 401 `user_invalid_credentials` (the same for an unknown address), `user_blocked`; 429
 */
export async function signInWithPassword(
  ctx: RequestContext,
  { email, password }: { email: string; password: string },
  allowsClosed = false,
): Promise<CreatedSession> {
  const { store, database } = ctx
  const account = await assertAccountOpen(
    database.kysely,
    await proveAccountByPassword(ctx, { email, password }),
    allowsClosed,
  )
  const created = await store.transact(async ({ db }) => {
    await assertUnchanged(db, account)
    return createSessionReplacingCurrent(db, ctx, account, { provider: 'email', providerUid: email })
  })
  await sendSession(ctx, created)
  return created
}

/**
 * Verifies a password. @returns its account, open or closed
 * @param isMeant tells which accounts may be proven here: any other is refused and counted as a
 *   wrong password is, because whoever guesses must not learn which guess was right
 * @throws Failure 401 `user_invalid_credentials` (the same for an unknown address); 429
 */
export async function proveAccountByPassword(
  { request, reply, config, limits, database }: RequestContext,
  { email, password }: { email: string; password: string },
  isMeant: (account: AccountRow) => Promise<boolean> = async () => true,
): Promise<AccountRow> {
  const db = database.kysely
  const attemptKey = await passwordAttemptKey(db, request, config, email)
  await limits.consume(request, reply, 'sign-in-address', { subject: attemptKey })
  const account = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst()
  const isPasswordCorrect = await verifyPassword(account?.password_hash ?? null, password)
  if (!account || !isPasswordCorrect || !(await isMeant(account)))
    return throwFailure('user_invalid_credentials')
  await limits.reset('sign-in-address', attemptKey)
  return account
}

/**
 * Locks an account whose password was just verified, until the session is begun: a password that changed meanwhile ends the
 * sessions that are there, and must find this one among them.
 * @throws Failure 401 `user_invalid_credentials` when the password or the address has changed
 */
async function assertUnchanged(
  db: Transaction<DatabaseTables>,
  { id, email, password_hash }: AccountRow,
): Promise<void> {
  const unchanged = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('email', '=', email)
    .where('password_hash', '=', password_hash)
    .where(whereAccountMaySignIn('accounts'))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!unchanged) throwFailure('user_invalid_credentials')
}

/**
 * Creates a session for the proven owner of an account, in place of the one the caller presents, and remembers the browser. Of two
 * steps it is known after the second: the first one alone proves no owner.
 * @param origin.remembered what was done with the browser in this request already
 */
export async function createSessionReplacingCurrent(
  db: Transaction<DatabaseTables>,
  { request, config }: Pick<RequestContext, 'request' | 'config'>,
  account: AccountRow,
  {
    remembered,
    ...origin
  }: { provider: string; providerUid?: string; provesBothSteps?: boolean; remembered?: RememberedBrowser },
): Promise<CreatedSession> {
  if (request.caller) {
    await stopRingingOwnBrowser(db, request.caller.session.id)
    await db.deleteFrom('sessions').where('id', '=', request.caller.session.id).execute()
  }
  const browser = readBrowserCookie(request, config)
  const language = readLanguageCookie(request)
  // What was chosen before signing in is the account's where it has chosen nothing.
  if (language && account.language === null)
    await db.updateTable('accounts').set({ language }).where('id', '=', account.id).execute()
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
  // A pending session is recorded when it is whole.
  if (created.session.pending_until !== null) return { account, ...created, browser: null, reopened: false }
  await recordAccountEvent(db, request, account.id, 'session.create')
  return {
    account,
    ...created,
    reopened: account.reopens_on_sign_in && (await reopenRecorded(db, request, account.id)),
    browser: remembered?.browser ?? (await rememberBrowser(db, request, config, account.id)),
  }
}

/** Opens an account that was closed for a while, for a session that is whole. @returns whether it was */
export async function reopenRecorded(
  db: Transaction<DatabaseTables>,
  request: FastifyRequest,
  accountId: number,
): Promise<boolean> {
  if (!(await reopenAccount(db, accountId))) return false
  await recordAccountEvent(db, request, accountId, 'user.reopen')
  return true
}

/** What the product answers for a session that was just begun. */
export const toCreatedSessionResponse = ({ account, session }: CreatedSession) => ({
  $id: session.public_id,
  accountId: account.public_id,
  secondStep: session.pending_until !== null,
})

/**
 * Sends a committed session to the browser as its cookie. The owner of an account that did not know the browser is told by a
 * letter, as of one that opened the account again; the first session of an account is nobody else's.
 */
export async function sendSession(
  ctx: Pick<RequestContext, 'request' | 'reply'> & AppContext,
  { account, token, session, browser, reopened }: CreatedSession,
): Promise<void> {
  const { request, reply, config } = ctx
  setSessionCookie(reply, config, {
    token,
    expires: session.pending_until ?? session.expires_at,
    foreignOrigin: request.foreignOrigin,
  })
  if (account.language && !request.foreignOrigin) setLanguageCookie(request, reply, config, account.language)
  if (browser === null) return
  setBrowserCookie(reply, config, browser)
  if (reopened) await sendAccountNoticeEmail(ctx, account, 'account-reopened')
  if (!session.from_known_browser && account.first_session_at !== null)
    await sendNewDeviceEmail(ctx, account, session.user_agent)
}

/**
 * Ends one session of the caller's account; the browser forgets its own.
 * @throws Failure 404 `user_session_not_found`, the same for another account's
 */
export async function endSession(ctx: RequestContext, publicId: string): Promise<void> {
  const { request, reply, caller, config, store } = ctx
  // One that waits for its second step ends itself alone, and who gives up there knew the password too.
  if (caller.session.pending) {
    if (publicId !== caller.session.publicId) throwFailure('user_more_factors_required')
    await alarmAboutKnownPassword(ctx)
  }
  await store.transact(async ({ db }) => {
    if (publicId === caller.session.publicId) await stopRingingOwnBrowser(db, caller.session.id)
    const deleted = await db
      .deleteFrom('sessions')
      .where('account_id', '=', caller.account.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) return throwFailure('user_session_not_found')
    if (!caller.session.pending) await recordAccountEvent(db, request, caller.account.id, 'session.delete')
  })
  if (publicId === caller.session.publicId) clearSessionCookie(reply, config, request.foreignOrigin)
}
