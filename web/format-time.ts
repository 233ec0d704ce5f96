/** Formats times for members. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** 'Just now' up to '29 days ago', then the full date. A time in the future reads 'Just now'. */
export function formatRelativeTime(then: Date, now: Date): string {
  const age = now.getTime() - then.getTime()
  if (age < minute) return 'Just now'
  if (age < hour) return ago(Math.floor(age / minute), 'minute')
  if (age < day) return ago(Math.floor(age / hour), 'hour')
  if (age < 30 * day) return ago(Math.floor(age / day), 'day')
  return formatFullDate(then)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "Oct 21" */
export const formatMonthDay = (time: Date): string => `${months[time.getMonth()]} ${time.getDate()}`

/** "Oct 21, 2025 at 3:05 PM", in the reader's own time zone. */
export function formatFullDate(time: Date): string {
  const hours = time.getHours()
  const minutes = String(time.getMinutes()).padStart(2, '0')
  const clock = `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
  return `${formatMonthDay(time)}, ${time.getFullYear()} at ${clock}`
}
