import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import * as contract from '#contract/notifications/push.ts'
import type { AppContext } from '../../../app-context.ts'
import type { DatabaseTables } from '../../../database/schema.ts'
import { throwFailure } from '../../../errors.ts'
import { registerRoute } from '../../../route.ts'
import { areValidPushKeys } from './encrypt-push.ts'
import { parsePushEndpoint } from './parse-push-endpoint.ts'
import { sendTestPush } from './send-pushes.ts'

export function registerPushSubscriptionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    contract.getPushSubscriptionOperation,
    async (_input, { caller, config, database }) => {
      const found = await database.kysely
        .selectFrom('sessions as s')
        .leftJoin('push_subscriptions as p', 'p.session_id', 's.id')
        .select(['s.wants_push', 'p.endpoint'])
        .where('s.id', '=', caller.session.id)
        .executeTakeFirst()
      return {
        available: config.pushHosts !== null,
        wanted: found?.wants_push ?? false,
        endpoint: found?.endpoint ?? null,
      }
    },
  )

  registerRoute(app, context, contract.getVapidPublicKeyOperation, async (_input, { config, vapid }) => {
    if (config.pushHosts === null) throwFailure('push_disabled')
    return { publicKey: await vapid.publicKey() }
  })

  registerRoute(app, context, contract.subscribePushOperation, async ({ endpoint, keys }, ctx) => {
    const { me, caller, config, store } = ctx
    const { href } = parsePushEndpoint(config, endpoint)
    const p256dh = Buffer.from(keys.p256dh, 'base64url')
    const auth = Buffer.from(keys.auth, 'base64url')
    if (!areValidPushKeys({ p256dh, auth })) throwFailure('general_argument_invalid', { field: 'keys' })
    await store.transact(({ db }) =>
      subscribe(db, { me: me.id, session: caller.session.id, endpoint: href, p256dh, auth }),
    )
  })

  registerRoute(app, context, contract.unsubscribePushOperation, async (_input, { caller, store }) => {
    await store.transact(async ({ db }) => {
      const { id } = caller.session
      await db.updateTable('sessions').set({ wants_push: false }).where('id', '=', id).execute()
      await db.deleteFrom('push_subscriptions').where('session_id', '=', id).execute()
    })
  })

  registerRoute(app, context, contract.sendTestPushOperation, async (_input, ctx) => {
    if (ctx.config.pushHosts === null) throwFailure('push_disabled')
    await sendTestPush(ctx, ctx.caller.session.id)
  })
}

/** Takes the browser over from another session, and cancels that session's farewell message. */
async function subscribe(
  db: Kysely<DatabaseTables>,
  given: { me: number; session: number; endpoint: string; p256dh: Buffer; auth: Buffer },
): Promise<void> {
  const { me, session, endpoint, p256dh, auth } = given
  // Concurrent subscriptions and a request that ends the session wait for this lock.
  const { rows } =
    await sql`update sessions set wants_push = true where id = ${session} returning id`.execute(db)
  if (rows.length === 0) throwFailure('general_unauthorized_scope')
  await db
    .deleteFrom('push_subscriptions')
    .where('session_id', '=', session)
    .where('endpoint', '!=', endpoint)
    .execute()
  await sql`
    insert into push_subscriptions as s (user_id, session_id, endpoint, p256dh, auth)
    values (${me}, ${session}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, created_at = excluded.created_at`.execute(db)
  await sql`
    delete from push_schedule p using push_subscriptions s
    where s.endpoint = ${endpoint} and p.subscription_id = s.id and p.topic = 'farewell'`.execute(db)
}
