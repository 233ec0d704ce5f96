/**
 * How an attribute of a document is compared and ordered in SQL. Texts compare without case and accents, as the dialect's
 * database does; ids and fixed words exactly; times and numbers by size. What a client sends is always a parameter.
 */
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { asMe, type Guarded, type Me, type Truth } from '../policy.ts'
import { contains } from '../search.ts'
import { accountOf, type Member } from '../session.ts'
import { type Compared, type Comparison, named, type Value } from './queries.ts'
import { badQuery } from './query-term.ts'

/** Who asks, as far as she may ask about herself. */
export type Caller = { me: Me; accountId: string; email: string | null }

export function callerOf(request: FastifyRequest, me: Member): Caller {
  const { publicId, email } = accountOf(request)
  return { me: asMe(me.id), accountId: publicId, email }
}

/** What a query may do with an attribute. */
export type Queryable = {
  /** @throws Failure general_query_invalid for a method or a value that the attribute does not know */
  compare(asked: Compared, caller: Caller): Truth
  /** What to order by; never null, because a cursor's row is compared with it. */
  order?: RawBuilder<unknown>
}

type Expression = RawBuilder<unknown>
type Ways = Partial<Record<Comparison, (values: readonly Value[], caller: Caller) => Truth>>

const positive: Partial<Record<Comparison, Comparison>> = {
  notEqual: 'equal',
  notBetween: 'between',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
  notContains: 'contains',
  notSearch: 'search',
  isNotNull: 'isNull',
}

/** Every way brings its negation. */
function queryable(
  type: string,
  accepts: (value: Value) => boolean,
  ways: Ways,
  order?: Expression,
): Queryable {
  return {
    order,
    compare({ method, attribute, values }, caller) {
      const turned = positive[method]
      const way = ways[turned ?? method]
      if (!way) return badQuery(`Invalid query: ${method} does not apply to attribute "${named(attribute)}"`)
      if (!values.every(accepts)) badQuery(`Invalid query: Query type does not match expected: ${type}`)
      return turned ? sql`not ${way(values, caller)}` : way(values, caller)
    },
  }
}

const isText = (value: Value) => typeof value === 'string'
const isInteger = (value: Value) => Number.isSafeInteger(value)
const isTruth = (value: Value) => typeof value === 'boolean'
const isMoment = (value: Value) => typeof value === 'string' && toMoment(value) !== null

const any = (truths: readonly Truth[]): Truth => sql`(${sql.join(truths, sql` or `)})`
const every = (truths: readonly Truth[]): Truth => sql`(${sql.join(truths, sql` and `)})`

/** @param written how a value is written in SQL, in the type of `expression` */
const bySize = (expression: Expression, written: (value: Value) => Expression): Ways => ({
  lessThan: ([value]) => sql`${expression} < ${written(value as Value)}`,
  lessThanEqual: ([value]) => sql`${expression} <= ${written(value as Value)}`,
  greaterThan: ([value]) => sql`${expression} > ${written(value as Value)}`,
  greaterThanEqual: ([value]) => sql`${expression} >= ${written(value as Value)}`,
  between: ([low, high]) => sql`${expression} between ${written(low as Value)} and ${written(high as Value)}`,
})

const nullness = (expression: Expression): Ways => ({ isNull: () => sql`${expression} is null` })
const asText = (value: Value) => sql`${value}::text`

/** A sentence's words: folded, and searched by substring (reading D-14). */
export function words(expression: Expression): Queryable {
  const folded = sql`fold(${expression})`
  const holds = (term: Value | undefined) => contains(expression, String(term))
  return queryable(
    'string',
    isText,
    {
      ...bySize(expression, asText),
      ...nullness(expression),
      equal: (values) =>
        sql`${folded} = any(array(select fold(given) from unnest(${values}::text[]) as given))`,
      startsWith: ([value]) => sql`starts_with(${folded}, fold(${value}))`,
      endsWith: ([value]) => sql`right(${folded}, char_length(fold(${value}))) = fold(${value})`,
      contains: (values) => any(values.map(holds)),
      containsAny: (values) => any(values.map(holds)),
      containsAll: (values) => every(values.map(holds)),
      search: ([value]) => {
        const term = unquoted(String(value).trim())
        return term === '' ? sql`false` : holds(term)
      },
    },
    expression,
  )
}

/** A quoted term is a phrase in the dialect; here every term is. */
const unquoted = (term: string) => (/^"[^"]*"$/.test(term) ? term.slice(1, -1).trim() : term)

/** An id or one of a few fixed words. */
export const exact = (expression: Expression): Queryable =>
  queryable(
    'string',
    isText,
    {
      ...bySize(expression, asText),
      ...nullness(expression),
      equal: (values) => sql`${expression} = any(${values}::text[])`,
    },
    expression,
  )

export const integer = (expression: Expression): Queryable =>
  queryable(
    'integer',
    isInteger,
    {
      ...bySize(expression, (value) => sql`${value}::bigint`),
      ...nullness(expression),
      equal: (values) => sql`${expression} = any(${values}::bigint[])`,
    },
    expression,
  )

export const truth = (expression: Expression): Queryable =>
  queryable('boolean', isTruth, {
    ...nullness(expression),
    equal: (values) => sql`${expression} = any(${values}::boolean[])`,
  })

/** @param order where another expression has the same order and an index */
export const moment = (expression: Expression, order = expression): Queryable =>
  queryable(
    'datetime',
    isMoment,
    {
      ...bySize(expression, (value) => sql`${toMoment(String(value))}::timestamptz`),
      ...nullness(expression),
      equal: (values) =>
        sql`${expression} = any(${values.map((value) => toMoment(String(value)))}::timestamptz[])`,
    },
    order,
  )

const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Without a zone it is UTC. Back as text, because the driver would write a date in the machine's own zone. */
function toMoment(text: string): string | null {
  const written = iso.exec(text)
  if (!written) return null
  const zoned = written[1] === undefined && text.length > 10 ? `${text}Z` : text
  const time = new Date(zoned.replace(' ', 'T'))
  if (Number.isNaN(time.getTime())) return null
  const instant = time.toISOString()
  // The years that both JavaScript and PostgreSQL write with four digits.
  return /^(?!0000)\d{4}-/.test(instant) ? instant : null
}

const keysOf = (table: Guarded, ids: readonly Value[]) =>
  sql`array(select id from ${sql.table(table)} where public_id = any(${ids}::text[]))`

/** Another document, by its id. */
export const reference = (key: Expression, table: Guarded): Queryable =>
  queryable('string', isText, {
    ...nullness(key),
    equal: (ids) => sql`${key} = any(${keysOf(table, ids)})`,
  })

/** A list of texts: it holds one of the values, or all of them. */
export const texts = (expression: Expression): Queryable => {
  const holdsOne = (values: readonly Value[]): Truth => sql`${expression} && ${values}::text[]`
  return queryable('string', isText, {
    equal: holdsOne,
    contains: holdsOne,
    containsAny: holdsOne,
    containsAll: (values) => sql`${expression} @> ${values}::text[]`,
    isNull: () => sql`false`,
    search: ([value]) => contains(sql`array_to_string(${expression}, ' ')`, String(value)),
  })
}

/** A list of members: `has` says that one of these keys is in it. */
export const members = (has: (keys: Expression) => Truth): Queryable => {
  const holdsOne = (ids: readonly Value[]) => has(keysOf('users', ids))
  return queryable('string', isText, {
    equal: holdsOne,
    contains: holdsOne,
    containsAny: holdsOne,
    containsAll: (ids) => every(ids.map((id) => has(keysOf('users', [id])))),
    isNull: () => sql`false`,
  })
}

/**
 * What only its owner may ask for, and only whether it is hers: any other question would be an oracle (security
 * reference Q01). Another's account id finds nothing, another's e-mail is refused, whether or not there is one.
 */
const hers = (equal: (given: readonly Value[], caller: Caller) => Truth): Queryable => ({
  compare({ method, attribute, values }, caller) {
    if (method !== 'equal' || !values.every(isText)) {
      badQuery(`Invalid query: ${method} does not apply to attribute "${named(attribute)}"`)
    }
    return equal(values, caller)
  },
})

export const herAccountId = (owner: Expression): Queryable =>
  hers((ids, { me, accountId }) => (ids.includes(accountId) ? sql`${owner} = ${me}` : sql`false`))

export const herEmail = (owner: Expression): Queryable =>
  hers((addresses, { me, email }) =>
    addresses.every((address) => String(address).toLowerCase() === email)
      ? sql`${owner} = ${me}`
      : badQuery('Invalid query: the e-mail of others cannot be asked for'),
  )
