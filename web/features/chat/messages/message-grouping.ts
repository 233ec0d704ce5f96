import { en } from '#contract/language.ts'
import { formatMonthDay } from '#web/format-time.ts'

type Groupable = { $createdAt: string; senderId: string }

export type GroupedMessage<M> = {
  message: M
  day?: string
  first: boolean
  last: boolean
}

const maxGroupGapMs = 5 * 60_000

/** @param messages oldest first */
export function groupMessagesByDayAndSender<M extends Groupable>(
  messages: readonly M[],
  now: Date,
): GroupedMessage<M>[] {
  const placed: GroupedMessage<M>[] = []
  let before: { senderId: string; time: Date } | undefined
  for (const message of messages) {
    const { senderId } = message
    const time = new Date(message.$createdAt)
    const newDay = !before || !sameDay(before.time, time)
    const joins =
      !newDay && before?.senderId === senderId && Number(time) - Number(before.time) < maxGroupGapMs
    const last = placed.at(-1)
    if (last) last.last = !joins
    placed.push({
      message,
      ...(newDay ? { day: formatMessageDay(time, now) } : {}),
      first: !joins,
      last: true,
    })
    before = { senderId, time }
  }
  return placed
}

const sameDay = (one: Date, other: Date) =>
  one.getDate() === other.getDate() &&
  one.getMonth() === other.getMonth() &&
  one.getFullYear() === other.getFullYear()

/** Returns "Today", "Yesterday" or "Oct 21", with the year if it is not the current one. */
export function formatMessageDay(day: Date, now: Date): string {
  if (sameDay(day, now)) return en('Today', 'Hoy')
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (sameDay(day, yesterday)) return en('Yesterday', 'Ayer')
  return day.getFullYear() === now.getFullYear()
    ? formatMonthDay(day)
    : `${formatMonthDay(day)}, ${day.getFullYear()}`
}

export function formatClockTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(time.getHours())}:${two(time.getMinutes())}`
}
