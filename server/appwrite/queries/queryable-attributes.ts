/**
 * Text is compared without case and accents, as in Appwrite. Ids and enums are compared exactly. Client
 * values are always SQL parameters.
 */
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type AuthenticatedMember, requireRequestCaller } from '#server/auth/session.ts'
import {
  whereTextContains,
  whereTextEndsWith,
  whereTextEqualsAny,
  whereTextStartsWith,
} from '#server/database/text-search.ts'
import {
  type MemberKeyExpression,
  memberKeyParameter,
  type PolicyTable,
  type SqlCondition,
} from '#server/policy/index.ts'
import { failInvalidQuery } from './invalid-query.ts'
import {
  type ComparisonFilter,
  type QueryComparisonMethod,
  type QueryValue,
  truncateForErrorMessage,
} from './parse-queries.ts'

export type DocumentQueryCaller = {
  me: MemberKeyExpression
  publicId: string
  accountId: string
  email: string | null
}

export function toDocumentQueryCaller(request: FastifyRequest, me: AuthenticatedMember): DocumentQueryCaller {
  const { publicId, email } = requireRequestCaller(request).account
  return { me: memberKeyParameter(me.id), publicId: me.publicId, accountId: publicId, email }
}

export type QueryableAttribute = {
  /** @throws Failure general_query_invalid for an unsupported method or value */
  compare(asked: ComparisonFilter, caller: DocumentQueryCaller): SqlCondition
  /** The expression is never null, because cursors compare with it. */
  order?: RawBuilder<unknown> | ((caller: DocumentQueryCaller) => RawBuilder<unknown>)
  /** PostgreSQL plans each search for its term, and the rate limit of searches applies. */
  searches?: true
}

type Expression = RawBuilder<unknown>
type ComparisonBuilders = Partial<
  Record<QueryComparisonMethod, (values: readonly QueryValue[], caller: DocumentQueryCaller) => SqlCondition>
>

const negatedMethods: Partial<Record<QueryComparisonMethod, QueryComparisonMethod>> = {
  notEqual: 'equal',
  notBetween: 'between',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
  notContains: 'contains',
  notSearch: 'search',
  isNotNull: 'isNull',
}

function queryable(
  type: string,
  accepts: (value: QueryValue) => boolean,
  builders: ComparisonBuilders,
  order?: Expression,
): QueryableAttribute {
  return {
    order,
    compare({ method, attribute, values }, caller) {
      const negated = negatedMethods[method]
      const build = builders[negated ?? method]
      if (!build)
        return failInvalidQuery(
          `Invalid query: ${method} does not apply to attribute "${truncateForErrorMessage(attribute)}"`,
        )
      if (!values.every(accepts))
        failInvalidQuery(`Invalid query: Query type does not match expected: ${type}`)
      return negated ? sql`not ${build(values, caller)}` : build(values, caller)
    },
  }
}

const isText = (value: QueryValue) => typeof value === 'string'
const isInteger = (value: QueryValue) => Number.isSafeInteger(value)
const isBoolean = (value: QueryValue) => typeof value === 'boolean'
const isTimestamp = (value: QueryValue) => typeof value === 'string' && toUtcTimestamp(value) !== null

const anyOf = (conditions: readonly SqlCondition[]): SqlCondition => sql`(${sql.join(conditions, sql` or `)})`
const allOf = (conditions: readonly SqlCondition[]): SqlCondition =>
  sql`(${sql.join(conditions, sql` and `)})`

const orderedComparisons = (
  expression: Expression,
  toSql: (value: QueryValue) => Expression,
): ComparisonBuilders => ({
  lessThan: ([value]) => sql`${expression} < ${toSql(value as QueryValue)}`,
  lessThanEqual: ([value]) => sql`${expression} <= ${toSql(value as QueryValue)}`,
  greaterThan: ([value]) => sql`${expression} > ${toSql(value as QueryValue)}`,
  greaterThanEqual: ([value]) => sql`${expression} >= ${toSql(value as QueryValue)}`,
  between: ([low, high]) =>
    sql`${expression} between ${toSql(low as QueryValue)} and ${toSql(high as QueryValue)}`,
})

const nullComparisons = (expression: Expression): ComparisonBuilders => ({
  isNull: () => sql`${expression} is null`,
})
const asText = (value: QueryValue) => sql`${value}::text`

/** @param folded the stored text without case and accents */
export function createQueryableText(expression: Expression, folded: Expression): QueryableAttribute {
  const containsTerm = (term: QueryValue | undefined) => whereTextContains(folded, String(term))
  return {
    ...queryable(
      'string',
      isText,
      {
        ...orderedComparisons(expression, asText),
        ...nullComparisons(expression),
        equal: (values) => whereTextEqualsAny(folded, values.map(String)),
        startsWith: ([value]) => whereTextStartsWith(folded, String(value)),
        endsWith: ([value]) => whereTextEndsWith(folded, String(value)),
        contains: (values) => anyOf(values.map(containsTerm)),
        containsAny: (values) => anyOf(values.map(containsTerm)),
        containsAll: (values) => allOf(values.map(containsTerm)),
        search: ([value]) => {
          const term = unquoted(String(value).trim())
          return term === '' ? sql`false` : containsTerm(term)
        },
      },
      expression,
    ),
    searches: true,
  }
}

/**
 * If the caller may not look the text up, no comparison matches, not even a negation, and the text sorts as
 * empty.
 */
export function createConditionallyQueryableText(
  expression: Expression,
  folded: Expression,
  mayLookUp: (me: MemberKeyExpression) => SqlCondition,
): QueryableAttribute {
  const text = createQueryableText(expression, folded)
  return {
    ...text,
    compare: (asked, caller) =>
      sql`(${text.compare(asked, caller)} and coalesce(${mayLookUp(caller.me)}, false))`,
    order: ({ me }) => sql`case when ${mayLookUp(me)} then ${expression} else '' end`,
  }
}

/** In Appwrite, quotes mark a phrase. Here every term is a phrase. */
const unquoted = (term: string) => (/^"[^"]*"$/.test(term) ? term.slice(1, -1).trim() : term)

export const createQueryableExactText = (expression: Expression): QueryableAttribute =>
  queryable(
    'string',
    isText,
    {
      ...orderedComparisons(expression, asText),
      ...nullComparisons(expression),
      equal: (values) => sql`${expression} = any(${values}::text[])`,
    },
    expression,
  )

export const createQueryableInteger = (expression: Expression): QueryableAttribute =>
  queryable(
    'integer',
    isInteger,
    {
      ...orderedComparisons(expression, (value) => sql`${value}::bigint`),
      ...nullComparisons(expression),
      equal: (values) => sql`${expression} = any(${values}::bigint[])`,
    },
    expression,
  )

export const createQueryableBoolean = (expression: Expression): QueryableAttribute =>
  queryable('boolean', isBoolean, {
    ...nullComparisons(expression),
    equal: (values) => sql`${expression} = any(${values}::boolean[])`,
  })

export const createQueryableTimestamp = (expression: Expression, order = expression): QueryableAttribute =>
  queryable(
    'datetime',
    isTimestamp,
    {
      ...orderedComparisons(expression, (value) => sql`${toUtcTimestamp(String(value))}::timestamptz`),
      ...nullComparisons(expression),
      equal: (values) =>
        sql`${expression} = any(${values.map((value) => toUtcTimestamp(String(value)))}::timestamptz[])`,
    },
    order,
  )

const isoPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A time without an offset is UTC. The driver would convert a date to the machine's time zone. */
function toUtcTimestamp(text: string): string | null {
  const written = isoPattern.exec(text)
  if (!written) return null
  const zoned = written[1] === undefined && text.length > 10 ? `${text}Z` : text
  const time = new Date(zoned.replace(' ', 'T'))
  if (Number.isNaN(time.getTime())) return null
  const instant = time.toISOString()
  // Only years from 0001 to 9999 have four digits in both JavaScript and PostgreSQL.
  return /^(?!0000)\d{4}-/.test(instant) ? instant : null
}

const keysOf = (table: PolicyTable, ids: readonly QueryValue[]) =>
  sql`array(select id from ${sql.table(table)} where public_id = any(${ids}::text[]))`

export const createQueryableReference = (key: Expression, table: PolicyTable): QueryableAttribute =>
  queryable('string', isText, {
    ...nullComparisons(key),
    equal: (ids) => sql`${key} = any(${keysOf(table, ids)})`,
  })

/** @param folded for `search`: the whole list as one text without case and accents */
export const createQueryableTextList = (expression: Expression, folded: Expression): QueryableAttribute => {
  const holdsOne = (values: readonly QueryValue[]): SqlCondition => sql`${expression} && ${values}::text[]`
  return {
    ...queryable('string', isText, {
      equal: holdsOne,
      contains: holdsOne,
      containsAny: holdsOne,
      containsAll: (values) => sql`${expression} @> ${values}::text[]`,
      isNull: () => sql`false`,
      search: ([value]) => whereTextContains(folded, String(value)),
    }),
    searches: true,
  }
}

export const createQueryableMemberList = (
  has: (keys: Expression, caller: DocumentQueryCaller) => SqlCondition,
): QueryableAttribute => {
  const holdsOne = (ids: readonly QueryValue[], caller: DocumentQueryCaller) =>
    has(keysOf('users', ids), caller)
  return queryable('string', isText, {
    equal: holdsOne,
    contains: holdsOne,
    containsAny: holdsOne,
    containsAll: (ids, caller) => allOf(ids.map((id) => has(keysOf('users', [id]), caller))),
    isNull: () => sql`false`,
  })
}

/**
 * Without this filter, callers could find members by email or account id. Another account's id matches
 * nothing. Another email is refused, whether or not it exists.
 */
const ownOnlyFilter = (
  equal: (given: readonly QueryValue[], caller: DocumentQueryCaller) => SqlCondition,
): QueryableAttribute => ({
  compare({ method, attribute, values }, caller) {
    if (method !== 'equal' || !values.every(isText)) {
      failInvalidQuery(
        `Invalid query: ${method} does not apply to attribute "${truncateForErrorMessage(attribute)}"`,
      )
    }
    return equal(values, caller)
  },
})

export const createQueryableOwnAccountId = (owner: Expression): QueryableAttribute =>
  ownOnlyFilter((ids, { me, accountId }) => (ids.includes(accountId) ? sql`${owner} = ${me}` : sql`false`))

export const createQueryableOwnEmail = (owner: Expression): QueryableAttribute =>
  ownOnlyFilter((addresses, { me, email }) =>
    addresses.every((address) => String(address).toLowerCase() === email)
      ? sql`${owner} = ${me}`
      : failInvalidQuery('Invalid query: the email of others cannot be asked for'),
  )
