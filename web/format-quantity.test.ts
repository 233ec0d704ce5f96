import { expect, test } from 'vitest'
import { formatQuantity } from './format-quantity.ts'

test('AUD-01 AUD-02 AUD-03 one is singular, and thousands have a comma', () => {
  expect([0, 1, 22, 1200].map((count) => formatQuantity(count, 'member'))).toEqual([
    '0 members',
    '1 member',
    '22 members',
    '1,200 members',
  ])
  expect([1, 2].map((count) => formatQuantity(count, 'person', 'people'))).toEqual(['1 person', '2 people'])
})
