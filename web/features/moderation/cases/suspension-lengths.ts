import { en } from '#contract/language.ts'

/** A number of days. Null means permanent. */
export type SuspensionDays = 1 | 3 | 7 | 30 | null

export const suspensionLengths: readonly { label: string; value: SuspensionDays }[] = [
  { label: en('1 day', '1 día'), value: 1 },
  { label: en('3 days', '3 días'), value: 3 },
  { label: en('7 days', '7 días'), value: 7 },
  { label: en('30 days', '30 días'), value: 30 },
  { label: en('For good', 'Para siempre'), value: null },
]

export const suspensionLengthText = (days: number | null): string =>
  suspensionLengths.find(({ value }) => value === days)?.label ?? ''
