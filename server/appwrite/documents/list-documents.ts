/** The total does not count unreadable rows. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '#server/database/schema.ts'
import { sqlUnpreparedStatementComment } from '#server/database/text-search.ts'
import { throwFailure } from '#server/errors.ts'
import { type SqlCondition, whereMemberMayRead } from '#server/policy/index.ts'
import { selectDeletedCursorRow } from '#server/store/pagination.ts'
import { failInvalidQuery } from '../queries/invalid-query.ts'
import { type ParsedQueries, type QueryFilter, truncateForErrorMessage } from '../queries/parse-queries.ts'
import {
  createQueryableExactText,
  createQueryableTimestamp,
  type DocumentQueryCaller,
  type QueryableAttribute,
} from '../queries/queryable-attributes.ts'
import { documentRowColumn, type QueryableListDefinition } from './field-definitions.ts'

/** Counting stops at this total. */
const maxTotal = 5000

/** `keptAfterDeletion`: a cursor at a deleted row works, because its value is still known. */
type Order = { by: RawBuilder<unknown>; descending: boolean; keptAfterDeletion: boolean }

/**
 * The total is 0 if it was not requested.
 * @throws Failure general_query_invalid, general_cursor_not_found
 */
export async function selectDocumentPageKeys(
  db: Kysely<DatabaseTables>,
  collection: QueryableListDefinition,
  query: ParsedQueries,
  caller: DocumentQueryCaller,
  wantsTotal: boolean,
): Promise<{ keys: number[]; total: number }> {
  const table = sql.table(collection.table)
  const where = buildDocumentListCondition(collection, query, caller)
  const orders = buildDocumentListOrders(collection, query, caller)
  const after = query.cursor
    ? await rowsAfterCursor(db, collection, query.cursor.id, orders, caller)
    : sql`true`
  const planHint = isTextSearch(collection, query) ? sqlUnpreparedStatementComment : sql``
  const page = await sql<{ id: number }>`${planHint}
    select t.id from ${table} as t where ${where} and ${after}
    order by ${sql.join(orders.map(({ by, descending }) => sql`${by} ${descending ? sql`desc` : sql`asc`}`))}
    limit ${query.limit} offset ${query.offset}`.execute(db)
  const keys = page.rows.map((row) => row.id)
  if (query.cursor?.before) keys.reverse()
  if (!wantsTotal) return { keys, total: 0 }
  const counted = await sql<{ count: number }>`${planHint}
    select count(*) from (select from ${table} as t where ${where} limit ${maxTotal}) as found`.execute(db)
  return { keys, total: counted.rows[0]?.count ?? 0 }
}

/** Returns whether a list compares or sorts text in a way that no index serves. */
export const isSearch = (collection: QueryableListDefinition, query: ParsedQueries): boolean =>
  isTextSearch(collection, query) ||
  query.order.some(({ attribute }) => comparesTexts(collection, attribute)) ||
  isSorted(collection, query)

/** No index serves the first order. Later orders sort only few rows. */
function isSorted(
  { indexedOrders, narrowedBy = [] }: QueryableListDefinition,
  query: ParsedQueries,
): boolean {
  const [first] = query.order.filter(({ attribute }) => attribute !== '')
  if (!indexedOrders || !first || ['$id', ...indexedOrders].includes(first.attribute)) return false
  return !isNarrowedBy(['$id', ...narrowedBy], query)
}

const isNarrowedBy = (attributes: readonly string[], { filters }: Pick<ParsedQueries, 'filters'>): boolean =>
  filters.some((filter) =>
    'filters' in filter
      ? filter.method === 'and' && isNarrowedBy(attributes, filter)
      : filter.method === 'equal' && attributes.includes(filter.attribute),
  )

const comparesTexts = ({ fields }: QueryableListDefinition, attribute: string): boolean =>
  Object.hasOwn(fields, attribute) && fields[attribute]?.query?.searches === true

const isTextSearch = (
  collection: QueryableListDefinition,
  { filters }: Pick<ParsedQueries, 'filters'>,
): boolean =>
  filters.some((filter) =>
    'filters' in filter ? isTextSearch(collection, filter) : comparesTexts(collection, filter.attribute),
  )

/** Filters on account ids and emails match nobody but the caller. */
export const canOnlyMatchCallerProfile = (
  { filters }: Pick<ParsedQueries, 'filters'>,
  caller: DocumentQueryCaller,
): boolean =>
  filters.some((filter) => {
    if ('filters' in filter) return filter.method === 'and' && canOnlyMatchCallerProfile(filter, caller)
    const { method, attribute, values } = filter
    if (method !== 'equal') return false
    return (
      ownAttributes.has(attribute) || (attribute === '$id' && values.every((id) => id === caller.publicId))
    )
  })

const ownAttributes = new Set(['accountId', 'email'])

function refuseAskingForOthersEverywhere(
  { fields }: QueryableListDefinition,
  query: ParsedQueries,
  caller: DocumentQueryCaller,
): void {
  for (const [attribute, { othersOnlyWithin }] of Object.entries(fields)) {
    if (!othersOnlyWithin || !compares(attribute, query)) continue
    if (isNarrowedBy(['$id', ...othersOnlyWithin], query) || asksForCallerAlone(attribute, query, caller))
      continue
    failInvalidQuery(
      `Invalid query: attribute "${attribute}" is asked for others together with "${othersOnlyWithin.join('" or "')}" alone`,
    )
  }
}

const compares = (attribute: string, { filters }: Pick<ParsedQueries, 'filters'>): boolean =>
  filters.some((filter) =>
    'filters' in filter ? compares(attribute, filter) : filter.attribute === attribute,
  )

const asksForCallerAlone = (
  attribute: string,
  { filters }: Pick<ParsedQueries, 'filters'>,
  caller: DocumentQueryCaller,
): boolean =>
  filters.some((filter) =>
    'filters' in filter
      ? filter.method === 'and' && asksForCallerAlone(attribute, filter, caller)
      : filter.method === 'equal' &&
        filter.attribute === attribute &&
        filter.values.every((id) => id === caller.publicId),
  )

export function buildDocumentListCondition(
  collection: QueryableListDefinition,
  query: ParsedQueries,
  caller: DocumentQueryCaller,
): SqlCondition {
  refuseAskingForOthersEverywhere(collection, query, caller)
  const readable = whereMemberMayRead(caller.me, collection.table, 't')
  const listed = [collection.findFilter, collection.listFilter].flatMap((filter) => filter?.(caller.me) ?? [])
  const wanted = query.filters.map((filter) => conditionOf(collection, filter, caller))
  return sql`${sql.join([readable, ...listed, ...wanted], sql` and `)}`
}

function conditionOf(
  collection: QueryableListDefinition,
  filter: QueryFilter,
  caller: DocumentQueryCaller,
): SqlCondition {
  if ('filters' in filter) {
    const inner = filter.filters.map((each) => conditionOf(collection, each, caller))
    return sql`(${sql.join(inner, filter.method === 'and' ? sql` and ` : sql` or `)})`
  }
  return queryableOf(collection, filter.attribute).compare(filter, caller)
}

const id: QueryableAttribute = createQueryableExactText(documentRowColumn('public_id'))

function queryableOf(collection: QueryableListDefinition, attribute: string): QueryableAttribute {
  if (attribute === '$id') return id
  const { createdAt = documentRowColumn('created_at') } = collection
  if (attribute === '$createdAt' || (attribute === '$updatedAt' && !collection.hasUpdatedAt)) {
    return createQueryableTimestamp(
      createdAt,
      collection.orderedByKey ? documentRowColumn('id') : documentRowColumn('created_at'),
    )
  }
  if (attribute === '$updatedAt') return createQueryableTimestamp(documentRowColumn('updated_at'))
  const field = Object.hasOwn(collection.fields, attribute) ? collection.fields[attribute] : undefined
  if (!field)
    return failInvalidQuery(
      `Invalid query: Attribute not found in schema: ${truncateForErrorMessage(attribute)}`,
    )
  return (
    field.query ??
    failInvalidQuery(`Invalid query: attribute "${truncateForErrorMessage(attribute)}" cannot be queried`)
  )
}

const attributesKeptAfterDeletion = new Set(['$createdAt', '$updatedAt'])

/**
 * The row's key makes the order total. It has the direction of the first order, so that one index serves
 * both.
 */
export function buildDocumentListOrders(
  collection: QueryableListDefinition,
  { order, cursor }: ParsedQueries,
  caller: DocumentQueryCaller,
): Order[] {
  const orders = order
    .filter(({ attribute }) => attribute !== '')
    .map(({ attribute, descending }) => {
      const { order: by } = queryableOf(collection, attribute)
      return by
        ? {
            by: typeof by === 'function' ? by(caller) : by,
            descending,
            keptAfterDeletion: attributesKeptAfterDeletion.has(attribute),
          }
        : failInvalidQuery(
            `Invalid query: attribute "${truncateForErrorMessage(attribute)}" cannot be ordered by`,
          )
    })
  const inOrder = [
    ...orders,
    { by: documentRowColumn('id'), descending: order[0]?.descending ?? false, keptAfterDeletion: true },
  ]
  return cursor?.before ? inOrder.map((each) => ({ ...each, descending: !each.descending })) : inOrder
}

/**
 * A cursor at an unreadable row counts as unknown. A row deleted within a day keeps its place if the order is
 * by time.
 */
async function rowsAfterCursor(
  db: Kysely<DatabaseTables>,
  collection: QueryableListDefinition,
  cursor: string,
  orders: readonly Order[],
  caller: DocumentQueryCaller,
): Promise<SqlCondition> {
  const position = sql.join(orders.map(({ by }, index) => sql`${by} as ${sql.ref(String(index))}`))
  const existing = await sql<Record<string, unknown>>`
    select ${position} from ${sql.table(collection.table)} as t
    where t.public_id = ${cursor} and ${whereMemberMayRead(caller.me, collection.table, 't')}
      and ${collection.findFilter?.(caller.me) ?? sql`true`}
      and ${collection.cursorFilter?.(caller.me) ?? sql`true`}`.execute(db)
  const row =
    existing.rows[0] ?? (await positionOfDeletedRow(db, collection, cursor, orders, position, caller))
  if (row) return rowsAfterValues(orders, (index) => row[index])
  return throwFailure('general_cursor_not_found', {
    message: `${collection.singular ?? 'Document'} '${truncateForErrorMessage(cursor)}' for the 'cursor' value not found.`,
  })
}

async function positionOfDeletedRow(
  db: Kysely<DatabaseTables>,
  { name, table }: QueryableListDefinition,
  cursor: string,
  orders: readonly Order[],
  position: RawBuilder<unknown>,
  { me }: DocumentQueryCaller,
): Promise<Record<string, unknown> | undefined> {
  if (!orders.every(({ keptAfterDeletion }) => keptAfterDeletion)) return undefined
  const { rows } = await sql<Record<string, unknown>>`
    select ${position} from (${selectDeletedCursorRow(me, name, table, cursor)}) as t`.execute(db)
  return rows[0]
}

/** If all orders have the same direction, compares whole rows, which an index supports. */
function rowsAfterValues(orders: readonly Order[], valueAt: (index: number) => unknown): SqlCondition {
  const values = orders.map((_, index) => sql`${valueAt(index)}`)
  const comparator = (descending: boolean) => (descending ? sql`<` : sql`>`)
  const [first] = orders
  if (first && orders.every(({ descending }) => descending === first.descending)) {
    const row = sql.join(orders.map(({ by }) => by))
    return sql`(${row}) ${comparator(first.descending)} (${sql.join(values)})`
  }
  return orders.reduceRight<SqlCondition>(
    (rest, { by, descending }, index) =>
      sql`(${by} ${comparator(descending)} ${values[index]} or (${by} = ${values[index]} and ${rest}))`,
    sql`false`,
  )
}
