/** Sessions: beginning one, and seeing and ending those she has (platform reference §5.2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Selectable, sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import * as fields from '#contract/fields.ts'
import { noteEvent, userAgentOf } from '../account-record.ts'
import type { Config } from '../config.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import { guessSubject, keepDevice, rememberDevice } from '../known-devices.ts'
import type { Parts } from '../parts.ts'
import { passwordMatches } from '../passwords.ts'
import type { AccountRow } from '../proven-address.ts'
import { alive, beginSession, type Caller, endSessions, giveToken, takeToken } from '../session.ts'
import { nothing, serveAccountCall } from './account-calls.ts'
import { sessionModel } from './models.ts'

/** A session that was begun; its token is given to the browser only after the commit. */
export type Begun = { account: AccountRow; token: string; session: Selectable<Tables['sessions']> }

/** Begins a session for whoever proved to own the account, in place of the one she presents (reading D-16). */
export async function openSession(
  db: Transaction<Tables>,
  request: FastifyRequest,
  account: AccountRow,
  how: { provider: string; providerUid?: string },
): Promise<Begun> {
  if (request.caller) await db.deleteFrom('sessions').where('id', '=', request.caller.session.id).execute()
  const begun = await beginSession(
    db,
    { id: account.id, publicId: account.public_id },
    { ...how, ip: request.ip, userAgent: userAgentOf(request) },
  )
  await noteEvent(db, request, account.id, 'session.create')
  return { account, ...begun }
}

/** Hands a committed session to the browser and shows it. */
export function handOver(
  { request, reply, config }: { request: FastifyRequest; reply: FastifyReply; config: Config },
  { account, token, session }: Begun,
) {
  giveToken(reply, config, { token, expires: session.expires_at, foreignOrigin: request.foreignOrigin })
  return sessionModel(session, { accountId: account.public_id, current: true })
}

const ofSession = z.object({ sessionId: z.string() })

/** `current` or an id; never anybody else's (security reference S19). */
const publicIdOf = (caller: Caller, sessionId: string) =>
  sessionId === 'current' ? caller.session.publicId : sessionId

export function sessionCalls(app: FastifyInstance, parts: Parts): void {
  const db = parts.database.kysely

  /** Hers that are not over. */
  const sessionsOf = (caller: Caller) =>
    db
      .selectFrom('sessions as s')
      .selectAll()
      .where('s.account_id', '=', caller.account.id)
      .where(sql<boolean>`${alive('s')}`)

  const shown = (caller: Caller) => (row: Selectable<Tables['sessions']>) =>
    sessionModel(row, { accountId: caller.account.publicId, current: row.id === caller.session.id })

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/sessions/email', '/sessions'],
    who: 'anyone',
    limit: 'sign-in',
    status: 201,
    input: z.object({ email: fields.email, password: fields.password }),
    async answer({ email, password }, asking) {
      const { request, reply, config, limits, store } = asking
      const guesses = await guessSubject(db, request, config, email)
      await limits.count(request, reply, 'sign-in-address', { subject: guesses })
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('email', '=', email)
        .executeTakeFirst()
      const right = await passwordMatches(account?.password_hash ?? null, password)
      if (!account || !right) return fail('user_invalid_credentials')
      await limits.forgive('sign-in-address', guesses)
      if (account.status !== 'active') return fail('user_blocked')
      const { begun, device } = await store.transact(async ({ db }) => ({
        begun: await openSession(db, request, account, { provider: 'email', providerUid: email }),
        device: await rememberDevice(db, request, config, account.id),
      }))
      const session = handOver(asking, begun)
      keepDevice(reply, config, device)
      return session
    },
  })

  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/sessions/anonymous'],
    who: 'anyone',
    limit: 'sign-up',
    status: 201,
    input: nothing,
    async answer(_input, asking) {
      const { request, store } = asking
      if (request.caller) return fail('user_session_already_exists')
      const begun = await store.transact(async ({ db }) => {
        const account = await db
          .insertInto('accounts')
          .values({ public_id: newId() })
          .returningAll()
          .executeTakeFirstOrThrow()
        return openSession(db, request, account, { provider: 'anonymous' })
      })
      return handOver(asking, begun)
    },
  })

  serveAccountCall(app, parts, {
    method: 'GET',
    paths: ['/sessions'],
    who: 'signed-in',
    limit: 'read',
    status: 200,
    input: nothing,
    async answer(_input, { caller }) {
      const sessions = await sessionsOf(caller).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
      return { total: sessions.length, sessions: sessions.map(shown(caller)) }
    },
  })

  serveAccountCall(app, parts, {
    method: 'GET',
    paths: ['/sessions/:sessionId'],
    who: 'signed-in',
    limit: 'read',
    status: 200,
    input: ofSession,
    async answer({ sessionId }, { caller }) {
      const session = await sessionsOf(caller)
        .where('public_id', '=', publicIdOf(caller, sessionId))
        .executeTakeFirst()
      return shown(caller)(session ?? fail('user_session_not_found'))
    },
  })

  serveAccountCall(app, parts, {
    method: 'PATCH',
    paths: ['/sessions/:sessionId'],
    who: 'signed-in',
    limit: 'write',
    status: 200,
    input: ofSession,
    /** Puts the idle end off; the absolute end stays (reading D-16). */
    async answer({ sessionId }, { request, caller, store }) {
      return store.transact(async ({ db }) => {
        const session = await db
          .updateTable('sessions')
          .set({ last_seen_at: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
          .where('account_id', '=', caller.account.id)
          .where('public_id', '=', publicIdOf(caller, sessionId))
          .where(sql<boolean>`${alive('sessions')}`)
          .returningAll()
          .executeTakeFirst()
        if (!session) return fail('user_session_not_found')
        await noteEvent(db, request, caller.account.id, 'session.update')
        return shown(caller)(session)
      })
    },
  })

  serveAccountCall(app, parts, {
    method: 'DELETE',
    paths: ['/sessions/:sessionId'],
    who: 'signed-in',
    limit: 'write',
    status: 204,
    input: ofSession,
    async answer({ sessionId }, { request, reply, caller, config, store }) {
      const publicId = publicIdOf(caller, sessionId)
      await store.transact(async ({ db }) => {
        const ended = await db
          .deleteFrom('sessions')
          .where('account_id', '=', caller.account.id)
          .where('public_id', '=', publicId)
          .executeTakeFirst()
        if (ended.numDeletedRows === 0n) return fail('user_session_not_found')
        await noteEvent(db, request, caller.account.id, 'session.delete')
      })
      if (publicId === caller.session.publicId) takeToken(reply, config, request.foreignOrigin)
    },
  })

  serveAccountCall(app, parts, {
    method: 'DELETE',
    paths: ['/sessions'],
    who: 'signed-in',
    limit: 'write',
    status: 204,
    input: nothing,
    async answer(_input, { request, reply, caller, config, store }) {
      await store.transact(async ({ db }) => {
        await endSessions(db, caller.account.id)
        await noteEvent(db, request, caller.account.id, 'session.delete')
      })
      takeToken(reply, config, request.foreignOrigin)
    },
  })
}
