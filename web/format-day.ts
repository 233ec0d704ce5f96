/** Returns "29 de noviembre" or "29 Nov", in the reader's time zone. */
import { en, es } from '#contract/language.ts'

export const formatDay = (iso: string, language: 'es' | 'en'): string =>
  language === 'es'
    ? new Date(iso).toLocaleDateString('es', { day: 'numeric', month: 'long' })
    : new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })

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
