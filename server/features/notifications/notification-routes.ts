import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import {
  countNotificationsOperation,
  listNotificationsOperation,
  markNotificationsReadOperation,
  markNotificationsSeenOperation,
  notificationPageSize,
} from '#contract/notifications/notifications.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { registerRoute } from '../../route.ts'
import { changeNotificationsAndNotifySockets } from './change-notifications-and-notify-sockets.ts'
import { countNotifications, listNotifications } from './notification-queries.ts'
import { writeLargeGroupNotificationsOnRead } from './write-large-group-notifications-on-read.ts'

export function registerNotificationRoutes(app: FastifyInstance, context: AppContext): void {
  const { database } = context

  registerRoute(
    app,
    context,
    listNotificationsOperation,
    async ({ only = 'all', cursor, limit = notificationPageSize }, { me, caller, config, countries }) => {
      if (cursor === undefined) await writeLargeGroupNotificationsOnRead(context, me.id)
      const asking = { session: caller.session.publicId, countries }
      const documents = await listNotifications(database.kysely, config, me.id, asking, {
        only,
        before: cursor === undefined ? null : Number(cursor),
        limit,
      })
      const last = documents.at(-1)
      return { documents, next: last && documents.length === limit ? String(last.seq) : null }
    },
  )

  registerRoute(app, context, countNotificationsOperation, (_input, { me }) =>
    countNotifications(database.kysely, me.id),
  )

  registerRoute(app, context, markNotificationsSeenOperation, async ({ upTo }, { me }) => {
    await changeNotificationsAndNotifySockets(context, me.id, (db) => raiseMark(db, me.id, 'seen_seq', upTo))
  })

  registerRoute(app, context, markNotificationsReadOperation, async (input, { me }) => {
    const { upTo, ids, postId, groupId } = input
    const which = [
      ...(ids === undefined ? [] : [sql`n.public_id = any(${ids}::text[])`]),
      ...(postId === undefined
        ? []
        : [sql`n.post_id = (select p.id from posts p where p.public_id = ${postId})`]),
      ...(groupId === undefined
        ? []
        : [
            sql`n.kind in ('group-post', 'join-approved') and n.group_id = (select g.id from groups g where g.public_id = ${groupId})`,
          ]),
    ]
    await changeNotificationsAndNotifySockets(context, me.id, (db) =>
      which.length === 0
        ? raiseMark(db, me.id, 'read_seq', upTo)
        : readRows(db, me.id, upTo, sql`((${sql.join(which, sql`) or (`)}))`),
    )
  })
}

/** Raises the mark, at most to the newest number. */
async function raiseMark(
  db: Transaction<DatabaseTables>,
  me: number,
  mark: 'seen_seq' | 'read_seq',
  upTo: number,
): Promise<boolean> {
  const column = sql.ref(mark)
  const { numAffectedRows = 0n } = await sql`
    update notification_marks set ${column} = least(${upTo}, last_seq)
    where user_id = ${me} and ${column} < least(${upTo}, last_seq)`.execute(db)
  return numAffectedRows > 0n
}

/** Marks rows as read. Rows that changed meanwhile stay unread. */
async function readRows(
  db: Transaction<DatabaseTables>,
  me: number,
  upTo: number,
  which: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update notifications n set read_seq = n.seq
    where n.user_id = ${me} and n.seq <= ${upTo} and n.read_seq < n.seq and ${which}`.execute(db)
  return numAffectedRows > 0n
}
