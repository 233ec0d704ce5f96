/** Serves signing in with a password, and signing out: one session for the web app and clients of the dialect. */
import type { FastifyInstance } from 'fastify'
import type { Selectable, Transaction } from 'kysely'
import {
  getCurrentSessionOperation,
  signInOperation,
  signOutOperation,
} from '#contract/sign-up-and-sign-in.ts'
import type { AppContext } from '../app-context.ts'
import { readUserAgentHeader, recordAccountEvent } from '../auth/account-audit-log.ts'
import {
  isKnownBrowser,
  passwordAttemptKey,
  readBrowserCookie,
  rememberBrowser,
  setBrowserCookie,
} from '../auth/known-browsers.ts'
import { verifyPassword } from '../auth/password-hash.ts'
import { createSession } from '../auth/session.ts'
import { clearSessionCookie, setSessionCookie } from '../auth/session-cookie.ts'
import { assertAccountOpen } from '../auth/suspensions.ts'
import type { AccountRow } from '../auth/verified-contact.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { type RequestContext, registerRoute } from '../route.ts'
import { alarmAboutKnownPassword } from './known-password-alarm.ts'

/** A created session; its token is sent to the browser only after the commit. */
export type CreatedSession = {
  account: AccountRow
  token: string
  session: Selectable<DatabaseTables['sessions']>
}

export function registerSessionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, signInOperation, async (credentials, ctx) => {
    return toCreatedSessionResponse(await signInWithPassword(ctx, credentials))
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
 * @throws Failure 401 `user_invalid_credentials` (the same for an unknown address), `user_blocked`; 429
 */
export async function signInWithPassword(
  ctx: RequestContext,
  { email, password }: { email: string; password: string },
): Promise<CreatedSession> {
  const { request, reply, config, store, database } = ctx
  const account = await assertAccountOpen(
    database.kysely,
    await proveAccountByPassword(ctx, { email, password }),
  )
  const { newSession, device } = await store.transact(async ({ db }) => {
    await assertUnchanged(db, account)
    const newSession = await createSessionReplacingCurrent(db, { request, config }, account, {
      provider: 'email',
      providerUid: email,
    })
    // Of two steps the browser is known after the second: a password alone proves no owner.
    const isWhole = newSession.session.pending_until === null
    return { newSession, device: isWhole ? await rememberBrowser(db, request, config, account.id) : null }
  })
  sendSessionCookie({ request, reply, config }, newSession)
  if (device !== null) setBrowserCookie(reply, config, device)
  return newSession
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
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!unchanged) throwFailure('user_invalid_credentials')
}

/** Creates a session for the proven owner of an account, in place of the one the caller presents. */
export async function createSessionReplacingCurrent(
  db: Transaction<DatabaseTables>,
  { request, config }: Pick<RequestContext, 'request' | 'config'>,
  account: AccountRow,
  origin: { provider: string; providerUid?: string },
): Promise<CreatedSession> {
  if (request.caller) await db.deleteFrom('sessions').where('id', '=', request.caller.session.id).execute()
  const browser = readBrowserCookie(request, config)
  const created = await createSession(
    db,
    { id: account.id, publicId: account.public_id },
    {
      ...origin,
      ip: request.ip,
      userAgent: readUserAgentHeader(request),
      browser,
      known: await isKnownBrowser(db, browser, account.id),
    },
  )
  // A pending session is recorded when it is whole.
  if (created.session.pending_until === null)
    await recordAccountEvent(db, request, account.id, 'session.create')
  return { account, ...created }
}

/** What the product answers for a session that was just begun. */
export const toCreatedSessionResponse = ({ account, session }: CreatedSession) => ({
  $id: session.public_id,
  accountId: account.public_id,
  secondStep: session.pending_until !== null,
})

/** Sends a committed session to the browser as its cookie. */
export const sendSessionCookie = (
  { request, reply, config }: Pick<RequestContext, 'request' | 'reply' | 'config'>,
  { token, session }: CreatedSession,
): void =>
  setSessionCookie(reply, config, {
    token,
    expires: session.pending_until ?? session.expires_at,
    foreignOrigin: request.foreignOrigin,
  })

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
