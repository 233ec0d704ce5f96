/** The code that lists each collection validates the attributes. */

import { failInvalidQuery } from './invalid-query.ts'
import { parseJsonQuery, toParsedQuery } from './parse-json.ts'
import { parseLegacyQuery } from './parse-legacy.ts'
import type { ParsedQuery } from './parsed-query.ts'

export type QueryValue = string | number | boolean

/** Minimum and maximum number of values. */
const comparisonArity = {
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

export type QueryComparisonMethod = keyof typeof comparisonArity
export type ComparisonFilter = {
  method: QueryComparisonMethod
  attribute: string
  values: readonly QueryValue[]
}
export type QueryFilter = ComparisonFilter | { method: 'and' | 'or'; filters: readonly QueryFilter[] }

export type ParsedQueries = {
  filters: readonly QueryFilter[]
  /** An empty attribute means the natural order. */
  order: readonly { attribute: string; descending: boolean }[]
  limit: number
  offset: number
  cursor: { id: string; before: boolean } | null
  select: readonly string[] | null
}

const queryLimits = {
  queries: 20,
  filters: 100,
  depth: 4,
  values: 100,
  characters: 4096,
  limit: 100,
  offset: 5000,
}
const defaultLimit = 25

export function parseAppwriteQueries(texts: readonly string[]): ParsedQueries {
  if (texts.length > queryLimits.queries)
    failInvalidQuery(`Invalid query: at most ${queryLimits.queries} queries`)
  const filters: QueryFilter[] = []
  const order: { attribute: string; descending: boolean }[] = []
  let limit: number | undefined
  let offset: number | undefined
  let cursor: ParsedQueries['cursor'] = null
  let select: string[] | null = null
  const remaining = { filters: queryLimits.filters }

  for (const parsed of texts.map(parse)) {
    switch (parsed.method) {
      // If a method occurs twice, its first query counts.
      case 'limit':
        limit ??= integerInRange(parsed, 1, queryLimits.limit)
        break
      case 'offset':
        offset ??= integerInRange(parsed, 0, queryLimits.offset)
        break
      case 'cursorAfter':
      case 'cursorBefore':
        cursor ??= { id: singleText(parsed), before: parsed.method === 'cursorBefore' }
        break
      case 'orderAsc':
      case 'orderDesc':
        order.push({ attribute: attributeToOrderBy(parsed), descending: parsed.method === 'orderDesc' })
        break
      case 'select':
        select = [...(select ?? []), ...selectedAttributes(parsed)]
        break
      default:
        filters.push(toFilter(parsed, 1, remaining))
    }
  }
  return { filters, order, limit: limit ?? defaultLimit, offset: offset ?? 0, cursor, select }
}

function parse(text: string): ParsedQuery {
  if (text.length > queryLimits.characters)
    failInvalidQuery(`Invalid query: longer than ${queryLimits.characters} characters`)
  return text.trimStart().startsWith('{') ? parseJsonQuery(text) : parseLegacyQuery(text)
}

function toFilter(parsed: ParsedQuery, depth: number, remaining: { filters: number }): QueryFilter {
  remaining.filters -= 1
  if (remaining.filters < 0) failInvalidQuery(`Invalid query: at most ${queryLimits.filters} filters`)
  if (parsed.method === 'and' || parsed.method === 'or') {
    if (depth >= queryLimits.depth) failInvalidQuery('Invalid query: nested too deeply')
    if (parsed.values.length === 0) failInvalidQuery(`${parsed.method} queries require at least one query.`)
    const filters = parsed.values.map((inner) => toFilter(toParsedQuery(inner), depth + 1, remaining))
    return { method: parsed.method, filters }
  }
  if (!isComparison(parsed.method))
    return failInvalidQuery(`Invalid query method: ${truncateForErrorMessage(parsed.method)}`)
  const { attribute, values } = withAttribute(parsed)
  const [minValues, maxValues] = comparisonArity[parsed.method]
  if (values.length < minValues)
    failInvalidQuery(`${parsed.method} queries require at least ${minValues} value.`)
  if (values.length > maxValues) {
    failInvalidQuery(
      `Query on attribute has greater than ${maxValues} values: ${truncateForErrorMessage(attribute)}`,
    )
  }
  return { method: parsed.method, attribute, values: values.map((value) => scalar(value, attribute)) }
}

const isComparison = (method: string): method is QueryComparisonMethod =>
  Object.hasOwn(comparisonArity, method)

/** In the older grammar, the attribute is the first value. */
function withAttribute({ attribute, values }: ParsedQuery): {
  attribute: string
  values: readonly unknown[]
} {
  if (attribute !== undefined) return { attribute, values }
  const [first, ...rest] = values
  return typeof first === 'string'
    ? { attribute: first, values: rest }
    : failInvalidQuery('Invalid query attribute')
}

function scalar(value: unknown, attribute: string): QueryValue {
  if (isStorable(value) || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return failInvalidQuery(
    `Invalid query: Query value is invalid for attribute "${truncateForErrorMessage(attribute)}"`,
  )
}

/** PostgreSQL cannot store NUL and lone surrogates. */
const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed()

function attributeToOrderBy(parsed: ParsedQuery): string {
  if (parsed.attribute === undefined && parsed.values.length === 0) return ''
  const { attribute, values } = withAttribute(parsed)
  return values.length === 0 ? attribute : failInvalidQuery('Invalid query: an order has one attribute')
}

function integerInRange({ method, values }: ParsedQuery, min: number, max: number): number {
  const [value] = values
  if (values.length === 1 && Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
    return value as number
  }
  const range = `${min} and ${max.toLocaleString('en-US')}`
  return failInvalidQuery(`Invalid query: Invalid ${method}: Value must be a valid range between ${range}`)
}

function singleText({ method, values }: ParsedQuery): string {
  const [value] = values
  return values.length === 1 && isStorable(value) ? value : failInvalidQuery(`Invalid query: ${method}`)
}

function selectedAttributes({ values }: ParsedQuery): string[] {
  if (values.length === 0) failInvalidQuery('Invalid query: No attributes selected')
  if (values.length > queryLimits.values)
    failInvalidQuery(`Invalid query: at most ${queryLimits.values} attributes`)
  return values.map((value) =>
    typeof value === 'string' ? value : failInvalidQuery('Invalid query attribute'),
  )
}

export const truncateForErrorMessage = (name: string): string => name.slice(0, 64)
