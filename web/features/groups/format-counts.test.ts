import { expect, test } from 'vitest'
import { formatBadgeCount, formatMemberCount } from './format-counts.ts'

test('GRP-10 a count of one reads “member”, and any other count “members”', () => {
  expect([0, 1, 2].map(formatMemberCount)).toEqual(['0 members', '1 member', '2 members'])
})

test('GPAGE-06 a badge shows at most two digits, then 99+', () => {
  expect([3, 99, 100].map(formatBadgeCount)).toEqual(['3', '99', '99+'])
})
