/** Arranges loaded notifications for the screen: one member's spree of likes as one row, and rows by day. */
import { en } from '#contract/language.ts'
import { maxMarkedNotifications } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications/notifications.ts'

/** A row of the screen. */
export type ShownNotification = Notification & {
  /** Ids and newest number of all that the row stands for. */
  ids: string[]
  /** Posts that one member liked in a row; one where the row is a notification by itself. */
  posts: number
}

const spreeMs = 3600_000
/** Fewer posts liked in a row stay rows of their own. */
const minSpree = 3

const isLikeOfOne = ({ kind, count }: Notification) => kind === 'like' && count === 1

/** Tells whether one member liked both posts within an hour. */
const continues = (first: Notification, next: Notification) =>
  isLikeOfOne(first) &&
  isLikeOfOne(next) &&
  first.unread === next.unread &&
  first.people[0]?.$id === next.people[0]?.$id &&
  Date.parse(first.at) - Date.parse(next.at) <= spreeMs

/**
 * Puts neighbouring rows of one member who liked three posts or more within an hour into one, which stands for no more than one
 * request marks.
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

/** Names the day of a time in the member's own zone; a week has seven days, today among them. */
export function notificationDayOf(at: Date, now: Date): NotificationDay {
  // Rounded, because a day of clock changes has 23 or 25 hours.
  const age = Math.round((midnightOf(now) - midnightOf(at)) / dayMs)
  if (age <= 0) return en('Today', 'Hoy')
  if (age === 1) return en('Yesterday', 'Ayer')
  return age < 7 ? en('This week', 'Esta semana') : en('Earlier', 'Antes')
}

/** Groups rows by day, in the order in which they come. */
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
