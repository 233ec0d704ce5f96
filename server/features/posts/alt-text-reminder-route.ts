/** Serves how the post form treats the caller, on every device. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { updatePostPreferencesOperation } from '#contract/posts/post-preferences.ts'
import type { AppContext } from '../../app-context.ts'
import { registerRoute } from '../../route.ts'

export function registerAltTextReminderRoute(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, updatePostPreferencesOperation, async ({ altReminder }, { me, store }) => {
    // Nobody else is told: it is no part of the profile.
    await store.transact((tx) => tx.updateAll('users', sql`t.id = ${me.id}`, { alt_reminder: altReminder }))
    return { altReminder }
  })
}
