/** Paging by keyset: the place of a row in a list, found by its public id. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type CollectionName, collections } from './collections.ts'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { isId } from './ids.ts'
import { asMe, type Guarded, type Me, mayRead } from './policy.ts'
import type { Member } from './session.ts'

export type Place = { rowId: number; createdAt: Date; updatedAt: Date }

/**
 * Where a row stood that was deleted less than 24 h ago (reading R-12), for those who could read it: to others it is as
 * unknown as while it was there. Who was in a group that has ended cannot be asked any more; that it has is no secret.
 */
export const deletedRow = (
  me: Me,
  name: string,
  table: Guarded,
  publicId: string,
): RawBuilder<unknown> => sql`
  select d.row_id as id, d.created_at, d.updated_at
  from deleted_rows d, jsonb_populate_record(null::${sql.table(table)}, d.keys) as gone
  where d.collection = ${name} and d.public_id = ${publicId}
    and d.deleted_at > clock_timestamp() - interval '24 hours'
    and (${mayRead(me, table, 'gone')} or (d.keys ? 'group_id' and not exists (
      select from groups g where g.id = (d.keys ->> 'group_id')::bigint)))`

/**
 * Where the cursor's row stands, or stood.
 * @throws Failure general_cursor_not_found, the same for a row she may not read and for none at all
 */
export async function keysetAfter(
  db: Kysely<Tables>,
  me: Member,
  collection: CollectionName,
  cursor: string,
): Promise<Place> {
  const { table } = collections[collection]
  const { rows } = await sql<{ id: number; created_at: Date; updated_at: Date }>`
    select t.id, t.created_at, coalesce((to_jsonb(t) ->> 'updated_at')::timestamptz, t.created_at) as updated_at
    from ${sql.table(table)} as t where t.public_id = ${cursor} and ${mayRead(asMe(me.id), table, 't')}
    union all ${deletedRow(asMe(me.id), collection, table, cursor)}
    limit 1`.execute(db)
  const row = rows[0]
  if (!row) {
    return fail('general_cursor_not_found', {
      message: `Document '${cursor}' for the 'cursor' value not found.`,
      field: 'cursor',
    })
  }
  return { rowId: row.id, createdAt: row.created_at, updatedAt: row.updated_at }
}

/** Of a list's row: its key, and its public id, which is the cursor of what follows it. */
export type Listed = { id: number; public_id: string }

/** The keys of a page, and the cursor of the next one: null after the last. */
export type Page = { keys: number[]; next: string | null }

/** @param limit how many were asked for: fewer are the last */
export const pageOf = (rows: readonly Listed[], limit: number): Page => ({
  keys: rows.map((row) => row.id),
  next: rows.length < limit ? null : (rows.at(-1)?.public_id ?? null),
})

/**
 * A page of what she may read of a collection, newest first.
 * @param which a condition over the collection's table @param options.key the column whose values are the keys
 * @throws as keysetAfter
 */
export async function newestFirst(
  db: Kysely<Tables>,
  me: Member,
  collection: CollectionName,
  which: RawBuilder<unknown>,
  { cursor, limit, key = 'id' }: { cursor: string | undefined; limit: number; key?: string },
): Promise<Page> {
  const { table } = collections[collection]
  const after = cursor === undefined ? null : await keysetAfter(db, me, collection, cursor)
  const { rows } = await sql<Listed>`
    select t.${sql.ref(key)} as id, t.public_id from ${sql.table(table)} as t
    where ${mayRead(asMe(me.id), table, 't')} and ${which}
      ${after ? sql`and (t.created_at, t.id) < (${after.createdAt}, ${after.rowId})` : sql``}
    order by t.created_at desc, t.id desc limit ${limit}`.execute(db)
  return pageOf(rows, limit)
}

/**
 * A cursor holds a row's id and the time the reader saw beside it, so that the page stays where it was when the row moves
 * or goes (reading R-12).
 */
export const writeCursor = (publicId: string, at: Date): string => `${at.getTime().toString(36)}~${publicId}`

/** @throws Failure general_cursor_not_found for what we never wrote */
export function readCursor(cursor: string): { id: string; at: Date } {
  const [time = '', id = ''] = cursor.split('~')
  const at = new Date(Number.parseInt(time, 36))
  if (!isId(id) || Number.isNaN(at.getTime())) fail('general_cursor_not_found', { field: 'cursor' })
  return { id, at }
}
