/** How messages stand together: by day, and by who said them one after the other (design: chat behaviour). */
import { monthDay } from '#web/format.ts'

type Said = { $createdAt: string; senderId: string }

export type Placed<M> = {
  message: M
  /** Of the day that begins with it. */
  day?: string
  /** The first and the last of a group. */
  first: boolean
  last: boolean
}

const groupedWithin = 5 * 60_000

/** @param messages oldest first */
export function arrange<M extends Said>(messages: readonly M[], now: Date): Placed<M>[] {
  const placed: Placed<M>[] = []
  let before: { senderId: string; time: Date } | undefined
  for (const message of messages) {
    const { senderId } = message
    const time = new Date(message.$createdAt)
    const newDay = !before || !sameDay(before.time, time)
    const joins =
      !newDay && before?.senderId === senderId && Number(time) - Number(before.time) < groupedWithin
    const last = placed.at(-1)
    if (last) last.last = !joins
    placed.push({ message, ...(newDay ? { day: dayLabel(time, now) } : {}), first: !joins, last: true })
    before = { senderId, time }
  }
  return placed
}

const sameDay = (one: Date, other: Date) =>
  one.getDate() === other.getDate() &&
  one.getMonth() === other.getMonth() &&
  one.getFullYear() === other.getFullYear()

/** "Today", "Yesterday", then "Oct 21", with the year when it is not this one. */
export function dayLabel(day: Date, now: Date): string {
  if (sameDay(day, now)) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (sameDay(day, yesterday)) return 'Yesterday'
  return day.getFullYear() === now.getFullYear() ? monthDay(day) : `${monthDay(day)}, ${day.getFullYear()}`
}

/** "18:04", in the reader's own time zone. */
export function clockTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(time.getHours())}:${two(time.getMinutes())}`
}
