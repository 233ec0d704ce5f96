/** Serves where the caller is signed in, and ends sessions from afar. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as settings from '#contract/account-settings.ts'
import type { AppContext } from '../app-context.ts'
import { recordAccountEvent } from '../auth/account-audit-log.ts'
import { describeClient } from '../auth/describe-user-agent.ts'
import { endBrowserTrust } from '../auth/known-browsers.ts'
import { revokeSessions, stopRingingOwnBrowser, whereSessionIsLive } from '../auth/session.ts'
import { clearSessionCookie } from '../auth/session-cookie.ts'
import { type RequestContext, registerRoute } from '../route.ts'
import { formatIsoTimestamp } from '../views/iso-timestamp.ts'
import { assertFreshProof } from './fresh-proof.ts'

export function registerDeviceRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, settings.listDevicesOperation, async (_input, ctx) => ({
    documents: await listCallerDevices(ctx),
  }))

  registerRoute(app, context, settings.endDeviceOperation, async ({ deviceId }, ctx) => {
    const { request, reply, caller, config, store, live } = ctx
    await store.transact(async ({ db }) => {
      if (deviceId === caller.session.publicId) await stopRingingOwnBrowser(db, caller.session.id)
      const deleted = await db
        .deleteFrom('sessions')
        .where('account_id', '=', caller.account.id)
        .where('public_id', '=', deviceId)
        .executeTakeFirst()
      if (deleted.numDeletedRows > 0n) {
        await recordAccountEvent(db, request, caller.account.id, 'session.delete')
      }
    })
    if (deviceId === caller.session.publicId) clearSessionCookie(reply, config, request.foreignOrigin)
    live.notify([])
  })

  registerRoute(app, context, settings.endOtherDevicesOperation, async (_input, ctx) => {
    const { request, caller, store, live } = ctx
    await assertFreshProof(ctx)
    await store.transact(async ({ db }) => {
      await revokeSessions(db, caller.account.id, { except: caller.session.id })
      await endBrowserTrust(db, caller.account.id)
      await recordAccountEvent(db, request, caller.account.id, 'session.delete')
    })
    live.notify([])
  })
}

/** What a session is called by how it began. */
const waysIn: Partial<Record<string, settings.Device['signedInWith']>> = {
  email: 'password',
  'magic-url': 'link',
  phone: 'phone',
  passkey: 'passkey',
  anonymous: 'other',
}

/** Lists the caller's live sessions: this one first, then the last seen. */
export async function listCallerDevices({ caller, database }: RequestContext): Promise<settings.Device[]> {
  const sessions = await database.kysely
    .selectFrom('sessions as s')
    .selectAll('s')
    .select(sql<boolean>`exists (select from push_subscriptions p where p.session_id = s.id)`.as('rings'))
    .where('s.account_id', '=', caller.account.id)
    .where(sql<boolean>`${whereSessionIsLive('s')}`)
    .orderBy(sql`s.id = ${caller.session.id}`, 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return sessions.map((session) => ({
    $id: session.public_id,
    ...describeClient(session.user_agent),
    signedInWith: waysIn[session.provider] ?? 'provider',
    signedInAt: formatIsoTimestamp(session.created_at),
    lastSeenAt: formatIsoTimestamp(session.last_seen_at),
    current: session.id === caller.session.id,
    rings: session.rings,
  }))
}
