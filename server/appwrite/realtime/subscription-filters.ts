/** A subscription's query values are prepared once, and a document's attributes are prepared once. */
import type { QueryComparisonMethod, QueryFilter, QueryValue } from '../queries/parse-queries.ts'

type Document = Readonly<Record<string, unknown>>

export type DocumentPredicate = (document: Document) => boolean

export function compileFilters(filters: readonly QueryFilter[]): DocumentPredicate {
  const predicates = filters.map(compile)
  return (document) => predicates.every((holds) => holds(document))
}

/** Each query value counts as one comparison. */
export const countFilterComparisons = (filters: readonly QueryFilter[]): number =>
  filters.reduce(
    (sum, filter) =>
      sum +
      ('filters' in filter ? countFilterComparisons(filter.filters) : Math.max(1, filter.values.length)),
    0,
  )

function compile(filter: QueryFilter): DocumentPredicate {
  if ('filters' in filter) {
    const predicates = filter.filters.map(compile)
    return filter.method === 'and'
      ? (document) => predicates.every((holds) => holds(document))
      : (document) => predicates.some((holds) => holds(document))
  }
  const holds = comparisons[filter.method](filter.values)
  return (document) => holds(attributeOf(document, filter.attribute))
}

type Attribute = {
  /** The elements of a list, or the id of a related document. */
  values: readonly unknown[]
  /** Texts without case and accents. */
  readonly folded: readonly string[]
}

const attributes = new WeakMap<Document, Map<string, Attribute>>()

function attributeOf(document: Document, name: string): Attribute {
  const known = attributes.get(document) ?? new Map<string, Attribute>()
  attributes.set(document, known)
  const before = known.get(name)
  if (before) return before
  const values = valuesOf(document[name])
  let folded: readonly string[] | undefined
  const attribute = {
    values,
    get folded() {
      folded ??= values.filter((value) => typeof value === 'string').map(foldText)
      return folded
    },
  }
  known.set(name, attribute)
  return attribute
}

function valuesOf(given: unknown): readonly unknown[] {
  if (given === null || given === undefined) return []
  if (Array.isArray(given)) return given.flatMap(valuesOf)
  return typeof given === 'object' ? [(given as { $id?: unknown }).$id] : [given]
}

const foldText = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

type Compiled = (attribute: Attribute) => boolean
type Compile = (values: readonly QueryValue[]) => Compiled

const not =
  (comparison: Compile): Compile =>
  (values) => {
    const holds = comparison(values)
    return (attribute) => !holds(attribute)
  }

/** Compares an attribute with the first query value. Text and numbers never match each other. */
const some =
  (relation: (left: never, right: never) => boolean): Compile =>
  ([value]) =>
  ({ values }) =>
    values.some((one) => typeof one === typeof value && relation(one as never, value as never))

const same: Compile = (given) => {
  const wanted = new Set<unknown>(given)
  return ({ values }) => values.some((value) => wanted.has(value))
}
const all: Compile =
  (given) =>
  ({ values }) =>
    given.every((value) => values.includes(value))
const lessThanEqual = some((one, value) => one <= value)
const greaterThanEqual = some((one, value) => one >= value)
const between: Compile = ([low, high]) => {
  const [above, below] = [greaterThanEqual([low as QueryValue]), lessThanEqual([high as QueryValue])]
  return (attribute) => above(attribute) && below(attribute)
}
const startsWith = some((one: string, value: string) => one.startsWith?.(value))
const endsWith = some((one: string, value: string) => one.endsWith?.(value))
const search: Compile = ([value]) => {
  if (typeof value !== 'string') return () => false
  const wanted = foldText(value)
  return ({ folded }) => folded.some((text) => text.includes(wanted))
}

const comparisons: Record<QueryComparisonMethod, Compile> = {
  equal: same,
  notEqual: not(same),
  lessThan: some((one, value) => one < value),
  lessThanEqual,
  greaterThan: some((one, value) => one > value),
  greaterThanEqual,
  between,
  notBetween: not(between),
  isNull:
    () =>
    ({ values }) =>
      values.length === 0,
  isNotNull:
    () =>
    ({ values }) =>
      values.length > 0,
  startsWith,
  notStartsWith: not(startsWith),
  endsWith,
  notEndsWith: not(endsWith),
  contains: same,
  containsAny: same,
  containsAll: all,
  notContains: not(same),
  search,
  notSearch: not(search),
}
