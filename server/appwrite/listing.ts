/**
 * A list as a client asks for it, in SQL: the rows she may read, her filters, her order, the page after her cursor. What
 * she cannot read is neither in the list nor in its total.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { deletedRow } from '../paging.ts'
import { type Guarded, type Me, mayRead, type Truth } from '../policy.ts'
import { plannedForItsTerm } from '../search.ts'
import { t } from './document-fields.ts'
import { type Asked, type Filter, named } from './queries.ts'
import { type Caller, exact, moment, type Queryable } from './query-conditions.ts'
import { badQuery } from './query-term.ts'

/** What a list needs to know of the documents, or files, in it. */
export type Listed = {
  name: string
  /** What one of them is called in a refusal; a document where nothing is said. */
  called?: string
  table: Guarded
  fields: Readonly<Record<string, { query?: Queryable }>>
  /** Whether the row keeps when it was last edited; else that is its creation. */
  edited: boolean
  /** Where the keys are in the order of creation and have the index. */
  orderedByKey?: true
  /** Leaves readable rows out of lists. */
  listed?: (me: Me) => Truth
}

/** Beyond this the total is not counted (platform reference §6). */
const mostCounted = 5000

/** `remembered`: also of a row that was deleted. */
type Order = { by: RawBuilder<unknown>; descending: boolean; remembered: boolean }

/**
 * @returns keys in the order asked for, and the total, or 0 where it is not wanted
 * @throws Failure general_query_invalid, general_cursor_not_found
 */
export async function listKeys(
  db: Kysely<Tables>,
  collection: Listed,
  asked: Asked,
  caller: Caller,
  wantsTotal: boolean,
): Promise<{ keys: number[]; total: number }> {
  const table = sql.table(collection.table)
  const where = conditionsOf(collection, asked, caller)
  const orders = ordersOf(collection, asked)
  const after = asked.cursor ? await beyond(db, collection, asked.cursor.id, orders, caller) : sql`true`
  const planned = searches(asked) ? plannedForItsTerm : sql``
  const page = await sql<{ id: number }>`${planned}
    select t.id from ${table} as t where ${where} and ${after}
    order by ${sql.join(orders.map(({ by, descending }) => sql`${by} ${descending ? sql`desc` : sql`asc`}`))}
    limit ${asked.limit} offset ${asked.offset}`.execute(db)
  const keys = page.rows.map((row) => row.id)
  if (asked.cursor?.before) keys.reverse()
  if (!wantsTotal) return { keys, total: 0 }
  const counted = await sql<{ count: number }>`${planned}
    select count(*) from (select from ${table} as t where ${where} limit ${mostCounted}) as found`.execute(db)
  return { keys, total: counted.rows[0]?.count ?? 0 }
}

/** Whether a filter looks inside texts: then the limit of searches counts, and the plan depends on the term. */
export const searches = ({ filters }: Asked): boolean => filters.some(looksInside)

const inside = new Set([
  'search',
  'notSearch',
  'contains',
  'notContains',
  'containsAny',
  'containsAll',
  'endsWith',
])
const looksInside = (filter: Filter): boolean =>
  'filters' in filter ? filter.filters.some(looksInside) : inside.has(filter.method)

/** What holds of every row of the list. @throws Failure general_query_invalid */
export function conditionsOf(collection: Listed, { filters }: Asked, caller: Caller): Truth {
  const readable = mayRead(caller.me, collection.table, 't')
  const listed = collection.listed ? [collection.listed(caller.me)] : []
  const wanted = filters.map((filter) => conditionOf(collection, filter, caller))
  return sql`${sql.join([readable, ...listed, ...wanted], sql` and `)}`
}

function conditionOf(collection: Listed, filter: Filter, caller: Caller): Truth {
  if ('filters' in filter) {
    const inner = filter.filters.map((each) => conditionOf(collection, each, caller))
    return sql`(${sql.join(inner, filter.method === 'and' ? sql` and ` : sql` or `)})`
  }
  return queryableOf(collection, filter.attribute).compare(filter, caller)
}

const id: Queryable = exact(t('public_id'))

function queryableOf(collection: Listed, attribute: string): Queryable {
  if (attribute === '$id') return id
  if (attribute === '$createdAt') {
    return moment(t('created_at'), collection.orderedByKey ? t('id') : t('created_at'))
  }
  if (attribute === '$updatedAt') return moment(t(collection.edited ? 'updated_at' : 'created_at'))
  const field = Object.hasOwn(collection.fields, attribute) ? collection.fields[attribute] : undefined
  if (!field) return badQuery(`Invalid query: Attribute not found in schema: ${named(attribute)}`)
  return field.query ?? badQuery(`Invalid query: attribute "${named(attribute)}" cannot be queried`)
}

const remembered = new Set(['$createdAt', '$updatedAt'])

/**
 * The orders asked for, then the key, so that every row has one place. The key goes the way of the first order: rows of
 * one millisecond then stand as they came, and one index serves both.
 */
export function ordersOf(collection: Listed, { order, cursor }: Asked): Order[] {
  const orders = order
    .filter(({ attribute }) => attribute !== '')
    .map(({ attribute, descending }) => {
      const { order: by } = queryableOf(collection, attribute)
      return by
        ? { by, descending, remembered: remembered.has(attribute) }
        : badQuery(`Invalid query: attribute "${named(attribute)}" cannot be ordered by`)
    })
  const inOrder = [...orders, { by: t('id'), descending: order[0]?.descending ?? false, remembered: true }]
  return cursor?.before ? inOrder.map((each) => ({ ...each, descending: !each.descending })) : inOrder
}

/**
 * Strictly after the cursor's row. A row she cannot read is as unknown as none (security reference Q02); one deleted less
 * than a day ago still has its place among times (reading R-12).
 */
async function beyond(
  db: Kysely<Tables>,
  collection: Listed,
  cursor: string,
  orders: readonly Order[],
  caller: Caller,
): Promise<Truth> {
  const place = sql.join(orders.map(({ by }, index) => sql`${by} as ${sql.ref(String(index))}`))
  const living = await sql<Record<string, unknown>>`
    select ${place} from ${sql.table(collection.table)} as t
    where t.public_id = ${cursor} and ${mayRead(caller.me, collection.table, 't')}`.execute(db)
  const row = living.rows[0] ?? (await deletedPlace(db, collection, cursor, orders, place, caller))
  if (row) return after(orders, (index) => row[index])
  return fail('general_cursor_not_found', {
    message: `${collection.called ?? 'Document'} '${named(cursor)}' for the 'cursor' value not found.`,
  })
}

async function deletedPlace(
  db: Kysely<Tables>,
  { name, table }: Listed,
  cursor: string,
  orders: readonly Order[],
  place: RawBuilder<unknown>,
  { me }: Caller,
): Promise<Record<string, unknown> | undefined> {
  if (!orders.every(({ remembered }) => remembered)) return undefined
  const { rows } = await sql<Record<string, unknown>>`
    select ${place} from (${deletedRow(me, name, table, cursor)}) as t`.execute(db)
  return rows[0]
}

/** Row comparison where all go one way, because an index can answer it. */
function after(orders: readonly Order[], valueAt: (index: number) => unknown): Truth {
  const values = orders.map((_, index) => sql`${valueAt(index)}`)
  const way = (descending: boolean) => (descending ? sql`<` : sql`>`)
  const [first] = orders
  if (first && orders.every(({ descending }) => descending === first.descending)) {
    const row = sql.join(orders.map(({ by }) => by))
    return sql`(${row}) ${way(first.descending)} (${sql.join(values)})`
  }
  return orders.reduceRight<Truth>(
    (rest, { by, descending }, index) =>
      sql`(${by} ${way(descending)} ${values[index]} or (${by} = ${values[index]} and ${rest}))`,
    sql`false`,
  )
}
