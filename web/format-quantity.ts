import { formatNumber } from './format-number.ts'

/** Such as '1 member' or '1,200 members'. */
export const formatQuantity = (count: number, one: string, more = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : more}`
