import { setTimeout as pause } from 'node:timers/promises'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  listNotificationsOperation,
  type Notification,
  type NotificationFilter,
} from '#contract/notifications/notifications.ts'
import type { Database } from '#server/database/open-database.ts'
import { createNotificationWriter } from '#server/features/notifications/write-notifications.ts'
import { patienceMs } from './wait-for.ts'

/** Sockets receive notifications at their node's next poll. */
export async function settleNotifications(database: Database): Promise<void> {
  const writeNotifications = createNotificationWriter(database, () => {})
  const deadline = performance.now() + patienceMs
  for (let result = await writeNotifications(); result !== 'done'; result = await writeNotifications()) {
    if (performance.now() > deadline)
      throw new Error(`notifications do not settle: the last round was ${result}`)
    if (result === 'busy') await pause(5)
  }
}

export async function readNotifications(
  database: Database,
  who: MemberClient,
  only: NotificationFilter = 'all',
): Promise<Notification[]> {
  await settleNotifications(database)
  const { documents } = await who.call(listNotificationsOperation, { only, limit: 100 })
  return documents
}

export const describeNotification = ({ people, count, kind }: Notification): string =>
  [
    people.map(({ name }) => name).join(', '),
    ...(count > people.length && people.length > 0 ? [`+${count - people.length}`] : []),
    kind,
  ]
    .filter((part) => part !== '')
    .join(' ')
