import { en } from '#contract/language.ts'
import { maxMarkedNotifications } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications/notifications.ts'

export type ShownNotification = Notification & {
  ids: string[]
  /** The number of posts liked in this row. One for a single notification. */
  posts: number
}

const spreeMs = 3600_000
/** With fewer likes, each has its own row. */
const minSpree = 3

const isLikeOfOne = ({ kind, count }: Notification) => kind === 'like' && count === 1

const continues = (first: Notification, next: Notification) =>
  isLikeOfOne(first) &&
  isLikeOfOne(next) &&
  first.unread === next.unread &&
  first.people[0]?.$id === next.people[0]?.$id &&
  Date.parse(first.at) - Date.parse(next.at) <= spreeMs

/**
 * Merges at least three consecutive likes by one member within an hour. A merged row is limited to the number of
 * notifications that one request can mark as read.
 */
export function collapseLikeBursts(notifications: readonly Notification[]): ShownNotification[] {
  const runs: Notification[][] = []
  for (const notification of notifications) {
    const run = runs.at(-1)
    if (run?.[0] && run.length < maxMarkedNotifications && continues(run[0], notification))
      run.push(notification)
    else runs.push([notification])
  }
  return runs.flatMap((run) => {
    const [first] = run
    if (!first || run.length < minSpree) return run.map((one) => ({ ...one, ids: [one.$id], posts: 1 }))
    return [{ ...first, ids: run.map(({ $id }) => $id), posts: run.length }]
  })
}

export const notificationDays = [
  en('Today', 'Hoy'),
  en('Yesterday', 'Ayer'),
  en('This week', 'Esta semana'),
  en('Earlier', 'Antes'),
] as const
export type NotificationDay = (typeof notificationDays)[number]

const dayMs = 24 * 3600_000
const midnightOf = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()

/** Uses the member's time zone. "This week" is the last seven days including today. */
export function notificationDayOf(at: Date, now: Date): NotificationDay {
  // A clock change makes a day 23 or 25 hours long.
  const age = Math.round((midnightOf(now) - midnightOf(at)) / dayMs)
  if (age <= 0) return en('Today', 'Hoy')
  if (age === 1) return en('Yesterday', 'Ayer')
  return age < 7 ? en('This week', 'Esta semana') : en('Earlier', 'Antes')
}

export function groupNotificationsByDay<Row extends { at: string }>(
  rows: readonly Row[],
  now: Date,
): [NotificationDay, Row[]][] {
  const byDay = Map.groupBy(rows, ({ at }) => notificationDayOf(new Date(at), now))
  return notificationDays.flatMap((day) => {
    const ofDay = byDay.get(day)
    return ofDay ? [[day, ofDay] as [NotificationDay, Row[]]] : []
  })
}
