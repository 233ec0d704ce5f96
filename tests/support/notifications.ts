/** Waits for notifications as the people of a test would, without waiting for the clock. */
import { setTimeout as pause } from 'node:timers/promises'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  listNotificationsOperation,
  type Notification,
  type NotificationFilter,
} from '#contract/notifications/notifications.ts'
import type { Database } from '#server/database/open-database.ts'
import { writeNotifications } from '#server/notifications/write-notifications.ts'

/** Runs rounds until everything that was committed before has its notifications. */
export async function settleNotifications(database: Database): Promise<void> {
  for (;;) {
    const result = await writeNotifications(database, () => {})
    if (result === 'done') return
    if (result === 'busy') await pause(5)
  }
}

/** Lists what a member's notifications say, newest first: `Bea, Cora +1 like P`, after everything so far was told. */
export async function readNotifications(
  database: Database,
  who: MemberClient,
  only: NotificationFilter = 'all',
): Promise<Notification[]> {
  await settleNotifications(database)
  const { documents } = await who.call(listNotificationsOperation, { only, limit: 100 })
  return documents
}

/** Says in short whom and what a notification is of. */
export const describeNotification = ({ people, count, kind }: Notification): string =>
  [
    people.map(({ name }) => name).join(', '),
    ...(count > people.length && people.length > 0 ? [`+${count - people.length}`] : []),
    kind,
  ]
    .filter((part) => part !== '')
    .join(' ')
