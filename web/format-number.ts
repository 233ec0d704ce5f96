import { en } from '#contract/language.ts'

/**
 * Writes a count as "1,292", or "1.292" in Spanish, also of four digits. By hand: the first use of the browser's own formatting loads
 * its tables, which took a quarter of the time that Home takes to render.
 */
export const formatNumber = (count: number): string => `${count}`.replace(/\B(?=(\d{3})+$)/g, en(',', '.'))
