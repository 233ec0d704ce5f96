import { en, getLanguageSet } from '#contract/language.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** Returns 'Just now', also for the future, to '29 days ago', then the full date. */
export function formatRelativeTime(then: Date, now: Date): string {
  if (getLanguageSet() === 'es') return formatSpanishRelativeTime(then, now)
  const age = now.getTime() - then.getTime()
  if (age < minute) return 'Just now'
  if (age < hour) return ago(Math.floor(age / minute), 'minute')
  if (age < day) return ago(Math.floor(age / hour), 'hour')
  if (age < 30 * day) return ago(Math.floor(age / day), 'day')
  return formatDateAndTime(then)
}

function formatSpanishRelativeTime(then: Date, now: Date): string {
  const age = now.getTime() - then.getTime()
  if (age < minute) return 'ahora mismo'
  if (age < hour) return spanishAgo(Math.floor(age / minute), 'minuto')
  if (age < day) return spanishAgo(Math.floor(age / hour), 'hora')
  if (age < 2 * day) return 'ayer'
  if (age < 30 * day) return spanishAgo(Math.floor(age / day), 'día')
  return formatDateAndTime(then)
}

const spanishAgo = (count: number, unit: string) => `hace ${count} ${unit}${count === 1 ? '' : 's'}`

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns "Oct 21". The Spanish and English sets use the member's locale. */
export const formatMonthDay = (time: Date): string =>
  getLanguageSet() === 'as-it-comes'
    ? `${months[time.getMonth()]} ${time.getDate()}`
    : time.toLocaleDateString(memberLocale(), { day: 'numeric', month: 'short' })

/** The browser's variant of the page's language, such as `es-MX`. Not for the default set. */
const memberLocale = (): string => {
  const language = en('en', 'es')
  return globalThis.navigator?.languages?.find((locale) => locale.split('-')[0] === language) ?? language
}

/** Returns "Oct 21, 2025 at 3:05 PM". The Spanish and English sets use the member's locale. */
export function formatDateAndTime(time: Date): string {
  if (getLanguageSet() !== 'as-it-comes')
    return time.toLocaleString(memberLocale(), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    })
  const hours = time.getHours()
  const minutes = String(time.getMinutes()).padStart(2, '0')
  const clock = `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
  return `${formatDate(time)} at ${clock}`
}

/** Returns "Oct 21, 2025". The Spanish and English sets use the member's locale. */
export const formatDate = (time: Date): string =>
  getLanguageSet() === 'as-it-comes'
    ? `${formatMonthDay(time)}, ${time.getFullYear()}`
    : time.toLocaleDateString(memberLocale(), { day: 'numeric', month: 'short', year: 'numeric' })
