/** Formats times for members. */
import { en, getLanguageSet } from '#contract/language.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** 'Just now' to '29 days ago', then the full date. A future time reads 'Just now'. */
export function formatRelativeTime(then: Date, now: Date): string {
  if (getLanguageSet() === 'es') return formatSpanishRelativeTime(then, now)
  const age = now.getTime() - then.getTime()
  if (age < minute) return 'Just now'
  if (age < hour) return ago(Math.floor(age / minute), 'minute')
  if (age < day) return ago(Math.floor(age / hour), 'hour')
  if (age < 30 * day) return ago(Math.floor(age / day), 'day')
  return formatFullDate(then)
}

/** 'ahora mismo', 'hace 5 minutos', 'ayer' to 'hace 29 días', then the full date. */
function formatSpanishRelativeTime(then: Date, now: Date): string {
  const age = now.getTime() - then.getTime()
  if (age < minute) return 'ahora mismo'
  if (age < hour) return spanishAgo(Math.floor(age / minute), 'minuto')
  if (age < day) return spanishAgo(Math.floor(age / hour), 'hora')
  if (age < 2 * day) return 'ayer'
  if (age < 30 * day) return spanishAgo(Math.floor(age / day), 'día')
  return formatFullDate(then)
}

const spanishAgo = (count: number, unit: string) => `hace ${count} ${unit}${count === 1 ? '' : 's'}`

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "Oct 21"; in the Spanish and English sets as the member's locale has it: "21 oct" */
export const formatMonthDay = (time: Date): string =>
  getLanguageSet() === 'as-it-comes'
    ? `${months[time.getMonth()]} ${time.getDate()}`
    : time.toLocaleDateString(memberLocale(), { day: 'numeric', month: 'short' })

/** The browser's variant of the page's language: `es-MX`, `en-GB`. The default set keeps one form for all. */
const memberLocale = (): string => {
  const language = en('en', 'es')
  return globalThis.navigator?.languages?.find((locale) => locale.split('-')[0] === language) ?? language
}

/** "Oct 21, 2025 at 3:05 PM", or as the member's locale has it: "21 oct 2025, 15:05". In the reader's time zone. */
export function formatFullDate(time: Date): string {
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

/** "Oct 21, 2025", or as the member's locale has it. */
export const formatDate = (time: Date): string =>
  getLanguageSet() === 'as-it-comes'
    ? `${formatMonthDay(time)}, ${time.getFullYear()}`
    : time.toLocaleDateString(memberLocale(), { day: 'numeric', month: 'short', year: 'numeric' })
