/**
 * What a client asks of a list: filters, order, page and attributes, in either grammar of the dialect (platform reference
 * §8; limits of reading D-17). Nothing here knows a collection: attributes are checked by whoever answers.
 */
import { parseJson, termOf } from './query-json.ts'
import { badQuery, type Term } from './query-term.ts'
import { parseText } from './query-text.ts'

export type Value = string | number | boolean

/** Methods that compare an attribute with values, and how many values each takes. */
const comparisons = {
  equal: [1, 100],
  notEqual: [1, 1],
  lessThan: [1, 1],
  lessThanEqual: [1, 1],
  greaterThan: [1, 1],
  greaterThanEqual: [1, 1],
  between: [2, 2],
  notBetween: [2, 2],
  isNull: [0, 0],
  isNotNull: [0, 0],
  startsWith: [1, 1],
  notStartsWith: [1, 1],
  endsWith: [1, 1],
  notEndsWith: [1, 1],
  contains: [1, 100],
  containsAny: [1, 100],
  containsAll: [1, 100],
  notContains: [1, 100],
  search: [1, 1],
  notSearch: [1, 1],
} as const

export type Comparison = keyof typeof comparisons
export type Compared = { method: Comparison; attribute: string; values: readonly Value[] }
export type Filter = Compared | { method: 'and' | 'or'; filters: readonly Filter[] }

export type Asked = {
  /** All of them hold. */
  filters: readonly Filter[]
  /** In sequence; an empty attribute is the natural order. */
  order: readonly { attribute: string; descending: boolean }[]
  limit: number
  offset: number
  cursor: { id: string; before: boolean } | null
  /** The attributes wanted, or null for all. */
  select: readonly string[] | null
}

const most = { queries: 20, filters: 100, depth: 4, values: 100, characters: 4096, limit: 100, offset: 5000 }
const usualLimit = 25

/**
 * @param texts one query each
 * @throws Failure general_query_invalid
 */
export function readQueries(texts: readonly string[]): Asked {
  if (texts.length > most.queries) badQuery(`Invalid query: at most ${most.queries} queries`)
  const filters: Filter[] = []
  const order: { attribute: string; descending: boolean }[] = []
  let limit: number | undefined
  let offset: number | undefined
  let cursor: Asked['cursor'] = null
  let select: string[] | null = null
  const room = { filters: most.filters }

  for (const term of texts.map(parse)) {
    switch (term.method) {
      // The first of each counts.
      case 'limit':
        limit ??= wholeNumber(term, 1, most.limit)
        break
      case 'offset':
        offset ??= wholeNumber(term, 0, most.offset)
        break
      case 'cursorAfter':
      case 'cursorBefore':
        cursor ??= { id: onlyText(term), before: term.method === 'cursorBefore' }
        break
      case 'orderAsc':
      case 'orderDesc':
        order.push({ attribute: attributeToOrderBy(term), descending: term.method === 'orderDesc' })
        break
      case 'select':
        select = [...(select ?? []), ...names(term)]
        break
      default:
        filters.push(toFilter(term, 1, room))
    }
  }
  return { filters, order, limit: limit ?? usualLimit, offset: offset ?? 0, cursor, select }
}

function parse(text: string): Term {
  if (text.length > most.characters) badQuery(`Invalid query: longer than ${most.characters} characters`)
  return text.trimStart().startsWith('{') ? parseJson(text) : parseText(text)
}

function toFilter(term: Term, depth: number, room: { filters: number }): Filter {
  room.filters -= 1
  if (room.filters < 0) badQuery(`Invalid query: at most ${most.filters} filters`)
  if (term.method === 'and' || term.method === 'or') {
    if (depth >= most.depth) badQuery('Invalid query: nested too deeply')
    if (term.values.length === 0) badQuery(`${term.method} queries require at least one query.`)
    const filters = term.values.map((inner) => toFilter(termOf(inner), depth + 1, room))
    return { method: term.method, filters }
  }
  if (!isComparison(term.method)) return badQuery(`Invalid query method: ${named(term.method)}`)
  const { attribute, values } = withAttribute(term)
  const [fewest, greatest] = comparisons[term.method]
  if (values.length < fewest) badQuery(`${term.method} queries require at least ${fewest} value.`)
  if (values.length > greatest) {
    badQuery(`Query on attribute has greater than ${greatest} values: ${named(attribute)}`)
  }
  return { method: term.method, attribute, values: values.map((value) => scalar(value, attribute)) }
}

const isComparison = (method: string): method is Comparison => Object.hasOwn(comparisons, method)

/** Text clients put the attribute before the values. */
function withAttribute({ attribute, values }: Term): { attribute: string; values: readonly unknown[] } {
  if (attribute !== undefined) return { attribute, values }
  const [first, ...rest] = values
  return typeof first === 'string' ? { attribute: first, values: rest } : badQuery('Invalid query attribute')
}

function scalar(value: unknown, attribute: string): Value {
  if (isStorable(value) || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return badQuery(`Invalid query: Query value is invalid for attribute "${named(attribute)}"`)
}

/** PostgreSQL stores neither NUL nor half a character, so nothing could equal such a text. */
const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed()

function attributeToOrderBy(term: Term): string {
  if (term.attribute === undefined && term.values.length === 0) return ''
  const { attribute, values } = withAttribute(term)
  return values.length === 0 ? attribute : badQuery('Invalid query: an order has one attribute')
}

function wholeNumber({ method, values }: Term, least: number, greatest: number): number {
  const [value] = values
  if (values.length === 1 && Number.isInteger(value) && Number(value) >= least && Number(value) <= greatest) {
    return value as number
  }
  const range = `${least} and ${greatest.toLocaleString('en-US')}`
  return badQuery(`Invalid query: Invalid ${method}: Value must be a valid range between ${range}`)
}

function onlyText({ method, values }: Term): string {
  const [value] = values
  return values.length === 1 && isStorable(value) ? value : badQuery(`Invalid query: ${method}`)
}

function names({ values }: Term): string[] {
  if (values.length === 0) badQuery('Invalid query: No attributes selected')
  if (values.length > most.values) badQuery(`Invalid query: at most ${most.values} attributes`)
  return values.map((value) => (typeof value === 'string' ? value : badQuery('Invalid query attribute')))
}

/** A name as a message may repeat it. */
export const named = (name: string): string => name.slice(0, 64)
