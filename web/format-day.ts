/** Returns "29 de noviembre" or "29 Nov", in the reader's time zone. */
import { en, es } from '#contract/language.ts'

export const formatDay = (iso: string, language: string): string =>
  language === 'en'
    ? new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : new Date(iso).toLocaleDateString(language, { day: 'numeric', month: 'long' })

export const formatDayAndYear = (iso: string): string =>
  new Date(iso).toLocaleDateString(es('es', 'en-GB'), { day: 'numeric', month: 'long', year: 'numeric' })

/** `2026-11-01` becomes "1 de noviembre de 2026" in every time zone. */
export const formatCalendarDay = (day: string): string =>
  new Date(day).toLocaleDateString(en('en-GB', 'es'), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
