import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as settings from '#contract/account/account-settings.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { describeUserAgent } from '../../auth/describe-user-agent.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import { lockCallersAccount, revokeSessions, whereSessionIsLive } from '../../auth/session.ts'
import { clearSessionCookie } from '../../auth/session-cookie.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { assertRecentReauthentication } from './reauthentication.ts'
import { deleteSessionOfCallersAccount } from './session-routes.ts'

export function registerDeviceRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, settings.listDevicesOperation, async (_input, ctx) => ({
    documents: await listCallerDevices(ctx),
  }))

  registerRoute(app, context, settings.signOutDeviceOperation, async ({ deviceId }, ctx) => {
    const { request, reply, caller, config, live } = ctx
    await deleteSessionOfCallersAccount(ctx, deviceId)
    if (deviceId === caller.session.publicId) clearSessionCookie(reply, config, request.foreignOrigin)
    live.notify([])
  })

  registerRoute(app, context, settings.signOutOtherDevicesOperation, async (_input, ctx) => {
    const { request, caller, store, live } = ctx
    await assertRecentReauthentication(ctx)
    await store.transact(async ({ db }) => {
      await lockCallersAccount(db, caller)
      await revokeSessions(db, caller.account.id, { except: caller.session.id })
      await revokeTrustOfAllBrowsers(db, caller.account.id)
      await recordAccountEvent(db, request, caller.account.id, 'session.delete')
    })
    live.notify([])
  })
}

const waysIn: Partial<Record<string, settings.Device['signedInWith']>> = {
  email: 'password',
  'magic-url': 'link',
  phone: 'phone',
  passkey: 'passkey',
  anonymous: 'other',
}

/** Lists the current session first, then the most recently used. */
export async function listCallerDevices({
  caller,
  database,
  countries,
}: RequestContext): Promise<settings.Device[]> {
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
  return Promise.all(
    sessions.map(async (session) => ({
      $id: session.public_id,
      ...describeUserAgent(session.user_agent),
      country: await countries.find(session.ip),
      signedInWith: waysIn[session.provider] ?? ('provider' as const),
      signedInAt: formatIsoTimestamp(session.created_at),
      lastSeenAt: formatIsoTimestamp(session.last_seen_at),
      current: session.id === caller.session.id,
      rings: session.rings,
    })),
  )
}
