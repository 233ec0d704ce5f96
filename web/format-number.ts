import { en } from '#contract/language.ts'

/** "1,292", or "1.292" in Spanish, also of four digits. */
export const formatNumber = (number: number): string =>
  number.toLocaleString(en('en', 'es'), { useGrouping: 'always' })
