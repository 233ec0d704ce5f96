import { expect, test, vi } from 'vitest'
import { parseAppwriteQueries } from '../queries/parse-queries.ts'
import { compileFilters, countFilterComparisons } from './subscription-filters.ts'

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
const passing = (...queries: string[]) => compileFilters(parseAppwriteQueries(queries).filters)(message)

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
])('a document matches %s', (query) => {
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
])('a document does not match %s', (query) => {
  expect(passing(query)).toBe(false)
})

test('a document must match every query of a subscription', () => {
  expect(passing(ask('equal', 'likes', 3), ask('equal', 'creator', 'ana'))).toBe(true)
  expect(passing(ask('equal', 'likes', 3), ask('equal', 'creator', 'bea'))).toBe(false)
})

test('R13 query values are folded once, at subscription, and a document is folded once for all queries', () => {
  const fold = vi.spyOn(String.prototype, 'normalize')
  try {
    const queries = Array.from({ length: 20 }, (_, n) => ask('notSearch', 'content', `playa ${n}`))
    const holds = [queries, queries].map((asked) => compileFilters(parseAppwriteQueries(asked).filters))
    expect(fold).toHaveBeenCalledTimes(40)
    const documents = Array.from({ length: 3 }, () => ({ ...message }))
    for (const document of documents) expect(holds.map((holding) => holding(document))).toEqual([true, true])
    expect(fold).toHaveBeenCalledTimes(43)
  } finally {
    fold.mockRestore()
  }
})

test.each([
  [[ask('isNull', 'groupId')], 1],
  [[ask('equal', 'content', 'a', 'b', 'c'), ask('search', 'content', 'a')], 4],
  [
    [
      JSON.stringify({
        method: 'or',
        values: [1, 2].map((n) => ({ method: 'equal', attribute: 'likes', values: [n, 9] })),
      }),
    ],
    4,
  ],
])('R13 the server counts the comparisons of %j', (queries, cost) => {
  expect(countFilterComparisons(parseAppwriteQueries(queries).filters)).toBe(cost)
})
