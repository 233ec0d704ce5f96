import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { updatePostPreferencesOperation } from '#contract/posts/post-preferences.ts'
import type { AppContext } from '../../app-context.ts'
import { registerRoute } from '../../route.ts'

export function registerAltTextReminderRoute(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, updatePostPreferencesOperation, async ({ altReminder }, { me, store }) => {
    // The setting is not part of the profile, so other members are not notified.
    await store.transact((tx) => tx.updateAll('users', sql`t.id = ${me.id}`, { alt_reminder: altReminder }))
    return { altReminder }
  })
}
