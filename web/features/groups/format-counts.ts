import { en } from '#contract/language.ts'

export const formatMemberCount = (count: number): string =>
  `${count} ${count === 1 ? en('member', 'integrante') : en('members', 'integrantes')}`

export const formatBadgeCount = (count: number): string => (count > 99 ? '99+' : String(count))
