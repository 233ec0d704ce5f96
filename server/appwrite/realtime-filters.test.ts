import { expect, test } from 'vitest'
import { readQueries } from './queries.ts'
import { passes } from './realtime-filters.ts'

const message = {
  $id: 'm1',
  content: 'Mañana en el parque',
  likes: 3,
  readBy: ['ana', 'bea'],
  creator: { $id: 'ana', name: 'Ana' },
  groupId: null,
}

const ask = (method: string, attribute: string, ...values: unknown[]) =>
  JSON.stringify({ method, attribute, values })
const passing = (...queries: string[]) => passes(message, readQueries(queries).filters)

test.each([
  [ask('equal', 'content', 'x', 'Mañana en el parque')],
  [ask('notEqual', 'content', 'x')],
  [ask('equal', 'creator', 'ana')],
  [ask('greaterThan', 'likes', 2)],
  [ask('between', 'likes', 1, 3)],
  [ask('isNull', 'groupId')],
  [ask('isNotNull', 'creator')],
  [ask('contains', 'readBy', 'bea')],
  [ask('containsAll', 'readBy', 'bea', 'ana')],
  [ask('startsWith', 'content', 'Mañana')],
  [ask('search', 'content', 'manana')],
  [ask('notSearch', 'content', 'playa')],
  [
    '{"method":"or","values":[{"method":"equal","attribute":"likes","values":[9]},{"method":"isNull","attribute":"groupId"}]}',
  ],
  ['{"method":"select","values":["*"]}'],
])('a document passes %s', (query) => {
  expect(passing(query)).toBe(true)
})

test.each([
  [ask('equal', 'content', 'x')],
  [ask('equal', 'creator', 'bea')],
  [ask('lessThan', 'likes', 3)],
  [ask('lessThan', 'likes', '9')],
  [ask('notBetween', 'likes', 1, 3)],
  [ask('isNotNull', 'groupId')],
  [ask('contains', 'readBy', 'eva')],
  [ask('containsAll', 'readBy', 'bea', 'eva')],
  [ask('startsWith', 'likes', '3')],
  [ask('search', 'content', 'playa')],
  [ask('equal', 'constructor', 'x')],
])('it does not pass %s', (query) => {
  expect(passing(query)).toBe(false)
})

test('every query must hold', () => {
  expect(passing(ask('equal', 'likes', 3), ask('equal', 'creator', 'ana'))).toBe(true)
  expect(passing(ask('equal', 'likes', 3), ask('equal', 'creator', 'bea'))).toBe(false)
})
