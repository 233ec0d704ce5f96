import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  getNotificationPreferencesOperation,
  type NotificationPreferences,
  updateNotificationPreferencesOperation,
} from '#contract/notifications/notification-preferences.ts'
import { optionalNotificationKinds } from '#contract/notifications/notifications.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { registerRoute } from '../../route.ts'
import { changeNotificationsAndNotifySockets } from './change-notifications-and-notify-sockets.ts'

export function registerNotificationPreferenceRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely
  registerRoute(app, context, getNotificationPreferencesOperation, (_input, { me }) =>
    readPreferences(db, me.id),
  )

  registerRoute(app, context, updateNotificationPreferencesOperation, async ({ kinds, enabled }, { me }) => {
    await changeNotificationsAndNotifySockets(context, me.id, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        insert into notification_preferences as np (user_id, kind, enabled)
        select ${me.id}::bigint, kind, ${enabled}::boolean from unnest(${[...new Set(kinds)]}::text[]) as kind order by kind
        on conflict (user_id, kind) do update set enabled = excluded.enabled where np.enabled <> excluded.enabled`.execute(
        tx,
      )
      return numAffectedRows > 0n
    })
    return readPreferences(db, me.id)
  })
}

async function readPreferences(db: Kysely<DatabaseTables>, me: number): Promise<NotificationPreferences> {
  const { rows } = await sql<{ kind: string }>`
    select kind from notification_preferences where user_id = ${me} and not enabled`.execute(db)
  const off = new Set(rows.map(({ kind }) => kind))
  return { off: optionalNotificationKinds.filter((kind) => off.has(kind)) }
}
