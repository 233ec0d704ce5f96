import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import type { AppContext } from '#server/app-context.ts'
import { recordAccountEvent } from '#server/auth/account-audit-log.ts'
import { revokeTrustOfAllBrowsers } from '#server/auth/known-browsers.ts'
import {
  deletePushSubscriptionOfSession,
  lockCallersAccount,
  type RequestCaller,
  revokeSessions,
  whereSessionIsLive,
} from '#server/auth/session.ts'
import { clearSessionCookie } from '#server/auth/session-cookie.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { throwFailure } from '#server/errors.ts'
import {
  type CreatedSession,
  createSessionReplacingCurrent,
  endSession,
  sendSessionCookiesAndNotices,
  signInWithPassword,
} from '#server/features/account/session-routes.ts'
import { admitNewAccount } from '#server/features/community/admit-new-account.ts'
import { generateId } from '#server/ids.ts'
import { type RequestContext, registerRoute } from '#server/route.ts'
import { toAppwriteSession } from '../build-response-models.ts'
import { createAppwriteParametersReader, emptyParametersSchema } from '../request-parameters.ts'

/** Call this after the transaction has committed. */
export async function replyWithAppwriteSession(
  ctx: Pick<RequestContext, 'request' | 'reply'> & AppContext,
  created: CreatedSession,
) {
  await sendSessionCookiesAndNotices(ctx, created)
  return modelOf(ctx, created)
}

const modelOf = async ({ countries }: Pick<AppContext, 'countries'>, { account, session }: CreatedSession) =>
  toAppwriteSession(session, {
    accountId: account.public_id,
    current: true,
    country: await countries.find(session.ip),
  })

const ofSession = z.object({ sessionId: z.string() })

/** Accepts any id, because the queries find only sessions of the caller's account. */
const publicIdOf = (caller: RequestCaller, sessionId: string) =>
  sessionId === 'current' ? caller.session.publicId : sessionId

export function registerAppwriteSessionRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely

  const sessionsOf = (caller: RequestCaller) =>
    db
      .selectFrom('sessions as s')
      .selectAll()
      .where('s.account_id', '=', caller.account.id)
      .where(sql<boolean>`${whereSessionIsLive('s')}`)

  const shown = (caller: RequestCaller) => async (row: Selectable<DatabaseTables['sessions']>) =>
    toAppwriteSession(row, {
      accountId: caller.account.publicId,
      current: row.id === caller.session.id,
      country: await context.countries.find(row.ip),
    })

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: ['/v1/account/sessions/email', '/v1/account/sessions'],
      who: 'visitor',
      limit: 'sign-in',
      status: 201,
      input: createAppwriteParametersReader(
        z.object({ email: fields.emailSchema, password: fields.passwordSchema }),
      ),
    },
    async (credentials, ctx) => modelOf(ctx, await signInWithPassword(ctx, credentials)),
  )

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: '/v1/account/sessions/anonymous',
      who: 'visitor',
      limit: 'sign-up',
      status: 201,
      input: createAppwriteParametersReader(emptyParametersSchema),
    },
    async (_input, ctx) => {
      const { request, store } = ctx
      if (request.caller) return throwFailure('user_session_already_exists')
      const created = await store.transact(async ({ db }) => {
        const account = await admitNewAccount(db, ctx, () =>
          db
            .insertInto('accounts')
            .values({ public_id: generateId() })
            .returningAll()
            .executeTakeFirstOrThrow(),
        )
        return createSessionReplacingCurrent(db, ctx, account, { provider: 'anonymous' })
      })
      return replyWithAppwriteSession(ctx, created)
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account/sessions',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(emptyParametersSchema),
    },
    async (_input, { caller }) => {
      const sessions = await sessionsOf(caller).orderBy('created_at').orderBy('id').execute()
      return { total: sessions.length, sessions: await Promise.all(sessions.map(shown(caller))) }
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account/sessions/:sessionId',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(ofSession),
    },
    async ({ sessionId }, { caller }) => {
      const session = await sessionsOf(caller)
        .where('public_id', '=', publicIdOf(caller, sessionId))
        .executeTakeFirst()
      return shown(caller)(session ?? throwFailure('user_session_not_found'))
    },
  )

  /** Postpones the idle expiry, but not the absolute expiry. */
  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/sessions/:sessionId',
      who: 'account',
      limit: 'write',
      status: 200,
      input: createAppwriteParametersReader(ofSession),
    },
    async ({ sessionId }, { request, caller, store }) => {
      return store.transact(async ({ db }) => {
        const session = await db
          .updateTable('sessions')
          .set({ last_seen_at: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
          .where('account_id', '=', caller.account.id)
          .where('public_id', '=', publicIdOf(caller, sessionId))
          .where(sql<boolean>`${whereSessionIsLive('sessions')}`)
          .returningAll()
          .executeTakeFirst()
        if (!session) return throwFailure('user_session_not_found')
        await recordAccountEvent(db, request, caller.account.id, 'session.update')
        return shown(caller)(session)
      })
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'DELETE',
      url: '/v1/account/sessions/:sessionId',
      who: 'account',
      allowsPending: true,
      limit: 'write',
      status: 204,
      input: createAppwriteParametersReader(ofSession),
    },
    ({ sessionId }, ctx) => endSession(ctx, publicIdOf(ctx.caller, sessionId)),
  )

  registerRoute(
    app,
    context,
    {
      method: 'DELETE',
      url: '/v1/account/sessions',
      who: 'account',
      limit: 'write',
      status: 204,
      input: createAppwriteParametersReader(emptyParametersSchema),
    },
    async (_input, { request, reply, caller, config, store }) => {
      await store.transact(async ({ db }) => {
        await lockCallersAccount(db, caller)
        await deletePushSubscriptionOfSession(db, caller.session.id)
        await revokeSessions(db, caller.account.id)
        await revokeTrustOfAllBrowsers(db, caller.account.id)
        await recordAccountEvent(db, request, caller.account.id, 'session.delete')
      })
      clearSessionCookie(reply, config, request.foreignOrigin)
    },
  )
}
