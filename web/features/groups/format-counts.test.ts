import { expect, test } from 'vitest'
import { formatBadgeCount, formatMemberCount } from './format-counts.ts'

test('GRP-10 one is a member, none and more are members', () => {
  expect([0, 1, 2].map(formatMemberCount)).toEqual(['0 members', '1 member', '2 members'])
})

test('GPAGE-06 a badge has room for two digits', () => {
  expect([3, 99, 100].map(formatBadgeCount)).toEqual(['3', '99', '99+'])
})
