import { en, getLanguageSet } from '#contract/language.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Returns 'Just now', also for the future, to '29 days ago', then the full date. */
export function formatRelativeTime(then: Date, now: Date): string {
  const age = now.getTime() - then.getTime()
  if (age < minute) return en('Just now', 'ahora mismo')
  if (age < hour) return formatMinutesAgo(Math.floor(age / minute))
  if (age < day) return formatHoursAgo(Math.floor(age / hour))
  if (age < 2 * day) return en('1 day ago', 'ayer')
  if (age < 30 * day) return formatDaysAgo(Math.floor(age / day))
  return formatDateAndTime(then)
}

const formatMinutesAgo = (count: number): string =>
  count === 1 ? en('1 minute ago', 'hace 1 minuto') : en(`${count} minutes ago`, `hace ${count} minutos`)

const formatHoursAgo = (count: number): string =>
  count === 1 ? en('1 hour ago', 'hace 1 hora') : en(`${count} hours ago`, `hace ${count} horas`)

const formatDaysAgo = (count: number): string => en(`${count} days ago`, `hace ${count} días`)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns "Oct 21". The other sets use the member's locale. */
export const formatMonthDay = (time: Date): string =>
  getLanguageSet() === 'as-it-comes'
    ? `${months[time.getMonth()]} ${time.getDate()}`
    : time.toLocaleDateString(memberLocale(), { day: 'numeric', month: 'short' })

/** The browser's variant of the page's language, such as `es-MX`. Not for the default set. */
const memberLocale = (): string => {
  const language = en('en', 'es')
  return globalThis.navigator?.languages?.find((locale) => locale.split('-')[0] === language) ?? language
}

/** Returns "Oct 21, 2025 at 3:05 PM". The other sets use the member's locale. */
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

/** Returns "Oct 21, 2025". The other sets use the member's locale. */
export const formatDate = (time: Date): string =>
  getLanguageSet() === 'as-it-comes'
    ? `${formatMonthDay(time)}, ${time.getFullYear()}`
    : time.toLocaleDateString(memberLocale(), { day: 'numeric', month: 'short', year: 'numeric' })
