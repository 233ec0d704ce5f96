import { describe, expect, test } from 'vitest'
import { fuzzQueryParser } from '#scripts/fuzz/fuzz-query-parser.ts'
import { Failure } from '#server/errors.ts'
import { parseAppwriteQueries } from './parse-queries.ts'
import { extractQueryStrings } from './queries-parameter.ts'

const filterOf = (text: string) => parseAppwriteQueries([text]).filters[0]
const valuesOf = (text: string) => {
  const filter = filterOf(text)
  return filter && 'values' in filter ? filter.values : undefined
}
const refusal = (...texts: string[]) => {
  try {
    parseAppwriteQueries(texts)
  } catch (error) {
    if (error instanceof Failure) return `${error.status} ${error.type}`
    throw error
  }
  return 'accepted'
}
const refused = '400 general_query_invalid'

describe('the text grammar of older clients', () => {
  test.each([
    // Clients do not escape quotes.
    [`equal("a", ["y "q""])`, ['y "q"']],
    [`equal("a", ["a "b, c" d"])`, ['a "b, c" d']],
    [`equal("a", ["it's"])`, ["it's"]],
    [`equal("a", ["back\\slash"])`, ['back\\slash']],
    [`equal("a", ["say \\"hi\\""])`, ['say "hi"']],
    [`equal("n", [1,2.5,true])`, [1, 2.5, true]],
    [`equal("a",["x","y"])`, ['x', 'y']],
    [`equal('a', ['x'])`, ['x']],
    [`equal("a", "x")`, ['x']],
    [`equal("a", ["(x) [y]"])`, ['(x) [y]']],
    [`equal("a", ["true"])`, ['true']],
    [`equal("a", ["5"])`, ['5']],
    [`equal("a", [""])`, ['']],
    [`between("n", 1, 5)`, [1, 5]],
    [`between("n", [1, 5])`, [1, 5]],
    [`search("t", ["foo, bar"])`, ['foo, bar']],
    [`isNull("g")`, []],
    // This term ends with a backslash that the member typed.
    [`search("t", ["ana\\"])`, ['ana\\']],
  ])('the query %s contains the values %j', (text, values) => {
    expect(valuesOf(text)).toEqual(values)
  })

  test.each([
    [`x"]) equal("a",["b`],
    [`x") limit(1`],
    [`"`],
    [`\\"`],
    [`foo, "bar", baz`],
    [`equal("email", ["ana@juntas.test"])`],
  ])('Q08 text typed into a search box stays one value: %s', (typed) => {
    expect(parseAppwriteQueries([`search("caption", ["${typed}"])`]).filters).toEqual([
      { method: 'search', attribute: 'caption', values: [typed === '\\"' ? '"' : typed] },
    ])
  })

  test('limit, offset, order, cursor and select are not filters, and only the first limit counts', () => {
    const texts = ['limit(10)', 'limit(20)', 'offset(0)', 'orderDesc("$createdAt")', 'orderAsc("name")']
    expect(parseAppwriteQueries([...texts, 'cursorAfter("id")', 'select(["a","b"])'])).toEqual({
      filters: [],
      limit: 10,
      offset: 0,
      order: [
        { attribute: '$createdAt', descending: true },
        { attribute: 'name', descending: false },
      ],
      cursor: { id: 'id', before: false },
      select: ['a', 'b'],
    })
    expect(parseAppwriteQueries(['orderDesc("")']).order).toEqual([{ attribute: '', descending: true }])
    expect(parseAppwriteQueries([])).toMatchObject({ limit: 25, offset: 0, cursor: null, select: null })
  })

  test.each([
    ['bogus'],
    ['foo("x")'],
    ['equal("a", [])'],
    ['equal("a", [null])'],
    ['equal("a", ["x"]'],
    ['equal("a", ["x"]))'],
    ['equal("a", [x])'],
    ['equal(5, ["x"])'],
    ['notEqual("a", ["x", "y"])'],
    ['between("n", 1)'],
    ['isNull("g", 1)'],
    ['equal("a", ["x")'],
    ['equal("a", [["x"]])'],
    ['or("a")'],
    [''],
    ['()'],
    ['limit'],
  ])('the query %s is refused', (text) => {
    expect(refusal(text)).toBe(refused)
  })
})

describe('the JSON grammar of newer clients', () => {
  test('a JSON query means the same as its text query', () => {
    const pairs = [
      ['{"method":"equal","attribute":"a","values":["x"]}', 'equal("a", ["x"])'],
      ['{"method":"isNull","attribute":"g"}', 'isNull("g")'],
      ['{"method":"limit","values":[10]}', 'limit(10)'],
      ['{"method":"orderDesc","attribute":"$createdAt"}', 'orderDesc("$createdAt")'],
      ['{"method":"orderDesc"}', 'orderDesc("")'],
      ['{"method":"select","values":["a"]}', 'select(["a"])'],
      ['{"method":"cursorAfter","values":["id"]}', 'cursorAfter("id")'],
      ['{"method":"between","attribute":"n","values":[1,5]}', 'between("n", 1, 5)'],
    ]
    for (const [json = '', text = ''] of pairs)
      expect(parseAppwriteQueries([json])).toEqual(parseAppwriteQueries([text]))
  })

  test('a JSON query can nest `and` and `or`', () => {
    const inner = { method: 'equal', attribute: 'a', values: ['x'] }
    const nested = { method: 'or', values: [inner, { method: 'and', values: [inner, inner] }] }
    expect(filterOf(JSON.stringify(nested))).toEqual({
      method: 'or',
      filters: [inner, { method: 'and', filters: [inner, inner] }],
    })
  })

  test.each([
    ['{"method":"equal","attribute":"a","values":[{"$ne":1}]}'],
    ['{"method":"equal","attribute":"a","values":[[1]]}'],
    ['{"method":"equal","attribute":"a","values":[null]}'],
    ['{"method":"equal","attribute":"a","values":[1e400]}'],
    ['{"method":"equal","attribute":{"a":1},"values":["x"]}'],
    ['{"method":"equal","values":[1]}'],
    ['{"method":"equal","attribute":"a","values":"x"}'],
    ['{"method":"or","values":[]}'],
    ['{"method":"or","values":["equal"]}'],
    ['{"method":"orderRandom"}'],
    ['{"method":"regex","attribute":"a","values":["x"]}'],
    ['{"method":"constructor","attribute":"a","values":["x"]}'],
    ['{"method":"__proto__"}'],
    ['{"__proto__":{"method":"limit","values":[1]}}'],
    ['{"method":1}'],
    ['{'],
    ['{}'],
    ['[]'],
  ])('Q04 Q05 the JSON query %s is refused', (json) => {
    expect(refusal(json)).toBe(refused)
    expect(({} as { method?: unknown }).method).toBeUndefined()
  })
})

describe('the limits of a query', () => {
  test('Q03 limit accepts only whole numbers from 1 to 100, and offset only from 0 to 5,000', () => {
    for (const value of [
      '-1',
      '0',
      '0.5',
      '101',
      '1e9',
      '2147483648',
      '9007199254740993',
      '9223372036854775808',
    ]) {
      expect(refusal(`limit(${value})`)).toBe(refused)
      if (!['0', '101'].includes(value)) expect(refusal(`offset(${value})`)).toBe(refused)
    }
    for (const value of ['NaN', '"5"', '[]', 'null', '']) {
      expect(refusal(`limit(${value})`)).toBe(refused)
      expect(refusal(`offset(${value})`)).toBe(refused)
    }
    expect(refusal('offset(5001)')).toBe(refused)
    expect(refusal('{"method":"limit","values":["5"]}')).toBe(refused)
    expect(refusal('limit(1)', 'limit(100)', 'offset(0)', 'offset(5000)')).toBe('accepted')
  })

  test('Q06 a request has at most twenty queries, a hundred values, 4,096 characters and four nesting levels', () => {
    const many = (count: number, text: string) => Array.from({ length: count }, () => text)
    expect(refusal(...many(20, 'isNull("a")'))).toBe('accepted')
    expect(refusal(...many(21, 'isNull("a")'))).toBe(refused)
    const values = (count: number) => JSON.stringify(many(count, 'x'))
    expect(refusal(`equal("a", ${values(100)})`)).toBe('accepted')
    expect(refusal(`equal("a", ${values(101)})`)).toBe(refused)
    expect(refusal(`equal("a", ["${'x'.repeat(4080)}"])`)).toBe('accepted')
    expect(refusal(`equal("a", ["${'x'.repeat(4096)}"])`)).toBe(refused)
    const nested = (levels: number): object =>
      levels === 1 ? { method: 'isNull', attribute: 'a' } : { method: 'or', values: [nested(levels - 1)] }
    expect(refusal(JSON.stringify(nested(4)))).toBe('accepted')
    expect(refusal(JSON.stringify(nested(5)))).toBe(refused)
    expect(refusal(JSON.stringify(nested(100)))).toBe(refused)
    expect(refusal('{"method":"or","values":['.repeat(10_000))).toBe(refused)
  })

  test('a query with text that cannot be stored is refused', () => {
    expect(refusal('equal("a", ["x\0y"])')).toBe(refused)
    expect(refusal('equal("a", ["\ud800"])')).toBe(refused)
    expect(refusal('{"method":"equal","attribute":"a","values":["\\u0000"]}')).toBe(refused)
  })

  test('twenty thousand random queries are parsed or refused, without any other error', () => {
    expect(fuzzQueryParser({ executions: 20_000, seed: 20_261_121 }).unforeseen).toEqual([])
  })
})

describe('the list of queries in a query string', () => {
  test('the order of the queries is kept, and a repeated position counts once', () => {
    const query = { 'queries[0]': ['a', 'a'], 'queries[1]': 'b', 'queries[]': ['c', 'd'], queries: 'e' }
    expect(extractQueryStrings(query)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(extractQueryStrings({ project: 'juntas' })).toEqual([])
  })

  test.each([['queries[__proto__]'], ['queries[0][method]'], ['queries[constructor]'], ['queriesx']])(
    'Q05 the parameter %s is refused',
    (key) => {
      expect(() => extractQueryStrings({ [key]: 'limit(1)' })).toThrow(Failure)
    },
  )
})
