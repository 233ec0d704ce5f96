import { describe, expect, test, vi } from 'vitest'
import { formatMemberCount } from '#web/features/groups/format-counts.ts'
import { formatNumber } from '#web/format-number.ts'
import { formatDateAndTime, formatRelativeTime } from '#web/format-time.ts'

const now = new Date(2025, 10, 20, 15, 5)
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const read = (age: number) => formatRelativeTime(new Date(now.getTime() - age), now)

describe('English times', () => {
  test.each([
    ['TIME-01', 0, 'Just now'],
    ['TIME-01', 59 * second, 'Just now'],
    ['TIME-01 in the future', -5 * minute, 'Just now'],
    ['TIME-02', minute, '1 minute ago'],
    ['TIME-02', minute + 59 * second, '1 minute ago'],
    ['TIME-02', 2 * minute, '2 minutes ago'],
    ['TIME-02', 59 * minute + 59 * second, '59 minutes ago'],
    ['TIME-03', hour, '1 hour ago'],
    ['TIME-03', 2 * hour, '2 hours ago'],
    ['TIME-03', 23 * hour + 59 * minute, '23 hours ago'],
    ['TIME-04', day, '1 day ago'],
    ['TIME-04', 47 * hour + 59 * minute, '1 day ago'],
    ['TIME-05', 2 * day, '2 days ago'],
    ['TIME-05', 29 * day + 23 * hour, '29 days ago'],
    ['TIME-06', 30 * day, 'Oct 21, 2025 at 3:05 PM'],
    ['TIME-06', 400 * day, 'Oct 16, 2024 at 3:05 PM'],
  ])('%s: a time of %d ms ago reads "%s"', (_row, age, text) => {
    expect(read(age)).toBe(text)
  })

  test.each([
    [new Date(2025, 0, 1, 0, 0), 'Jan 1, 2025 at 12:00 AM'],
    [new Date(2025, 11, 31, 12, 9), 'Dec 31, 2025 at 12:09 PM'],
    [new Date(2024, 1, 29, 23, 59), 'Feb 29, 2024 at 11:59 PM'],
  ])('TIME-06 times use the twelve-hour clock: %s', (time, text) => {
    expect(formatDateAndTime(time)).toBe(text)
  })
})

describe('LANG-06 in Spanish', () => {
  const inSpanish = <T>(say: () => T): T => {
    vi.stubGlobal('document', { cookie: 'a=b; juntas-language=es' })
    try {
      return say()
    } finally {
      vi.unstubAllGlobals()
    }
  }

  test.each([
    ['ahora mismo', 59 * second],
    ['hace 1 minuto', minute],
    ['hace 5 minutos', 5 * minute],
    ['hace 1 hora', hour],
    ['hace 23 horas', 23 * hour],
    ['ayer', day],
    ['hace 2 días', 2 * day],
    ['21 oct 2025, 15:05', 30 * day],
  ])('a relative time reads "%s"', (text, age) => {
    expect(inSpanish(() => read(age))).toBe(text)
  })

  const inLanguage = <T>(set: string, locales: string[], say: () => T): T => {
    vi.stubGlobal('document', { cookie: `juntas-language=${set}` })
    vi.stubGlobal('navigator', { languages: locales })
    try {
      return say()
    } finally {
      vi.unstubAllGlobals()
    }
  }

  test.each([
    ['en', ['en-GB', 'en'], '21 Oct 2025, 15:05'],
    ['en', ['es-ES', 'en-US'], 'Oct 21, 2025, 3:05 PM'],
    ['es', ['es-ES'], '21 oct 2025, 15:05'],
    ['es', ['fr'], '21 oct 2025, 15:05'],
    ['as-it-comes', ['en-GB'], 'Oct 21, 2025 at 3:05 PM'],
  ])(
    'TIME-08 with the language setting %s and the browser locales %j a date reads "%s"',
    (set, locales, text) => {
      const date = inLanguage(set, locales, () => formatDateAndTime(new Date(2025, 9, 21, 15, 5)))
      expect(date.replaceAll('\u202f', ' ')).toBe(text)
    },
  )

  test('Spanish numbers have points for thousands, and one member is singular', () => {
    expect(inSpanish(() => formatNumber(1292))).toBe('1.292')
    expect(formatNumber(1292)).toBe('1,292')
    expect([0, 999, 1000, 1234567].map(formatNumber)).toEqual(['0', '999', '1,000', '1,234,567'])
    expect(inSpanish(() => formatMemberCount(1))).toBe('1 integrante')
    expect(inSpanish(() => formatMemberCount(2))).toBe('2 integrantes')
  })
})
