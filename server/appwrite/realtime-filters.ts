/** Whether a document passes the queries of a subscription: the comparisons of a list, asked of one document. */
import type { Comparison, Filter, Value } from './queries.ts'

type Document = Readonly<Record<string, unknown>>

export const passes = (document: Document, filters: readonly Filter[]): boolean =>
  filters.every((filter) => holds(document, filter))

function holds(document: Document, filter: Filter): boolean {
  if ('filters' in filter) {
    const inner = (one: Filter) => holds(document, one)
    return filter.method === 'and' ? filter.filters.every(inner) : filter.filters.some(inner)
  }
  const given = valuesOf(document[filter.attribute])
  return compare[filter.method](given, filter.values)
}

/** A list's elements; of a related document its id. */
function valuesOf(given: unknown): readonly unknown[] {
  if (given === null || given === undefined) return []
  if (Array.isArray(given)) return given.flatMap(valuesOf)
  return typeof given === 'object' ? [(given as { $id?: unknown }).$id] : [given]
}

type Compare = (given: readonly unknown[], values: readonly Value[]) => boolean

const not =
  (compare: Compare): Compare =>
  (given, values) =>
    !compare(given, values)

/** Some value of the document stands so to the first value asked for. Text and numbers are never compared. */
const some =
  (relation: (left: never, right: never) => boolean): Compare =>
  (given, [value]) =>
    given.some((one) => typeof one === typeof value && relation(one as never, value as never))

const same: Compare = (given, values) => values.some((value) => given.includes(value))
const between: Compare = (given, [low, high]) =>
  compare.greaterThanEqual(given, [low as Value]) && compare.lessThanEqual(given, [high as Value])
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const startsWith = some((one: string, value: string) => one.startsWith?.(value))
const endsWith = some((one: string, value: string) => one.endsWith?.(value))
const search = some(
  (one: string, value: string) => typeof one === 'string' && folded(one).includes(folded(value)),
)

const compare: Record<Comparison, Compare> = {
  equal: same,
  notEqual: not(same),
  lessThan: some((one, value) => one < value),
  lessThanEqual: some((one, value) => one <= value),
  greaterThan: some((one, value) => one > value),
  greaterThanEqual: some((one, value) => one >= value),
  between,
  notBetween: not(between),
  isNull: (given) => given.length === 0,
  isNotNull: (given) => given.length > 0,
  startsWith,
  notStartsWith: not(startsWith),
  endsWith,
  notEndsWith: not(endsWith),
  contains: same,
  containsAny: same,
  containsAll: (given, values) => values.every((value) => given.includes(value)),
  notContains: not(same),
  search,
  notSearch: not(search),
}
