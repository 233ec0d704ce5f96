/** Keyset pagination: a cursor is the public id of a row in the list. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { AuthenticatedMember } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { isValidPublicId } from '../ids.ts'
import {
  type MemberKeyExpression,
  memberKeyParameter,
  type PolicyTable,
  whereMemberMayRead,
} from '../policy/index.ts'
import { collectionDefinitionsByName } from './collection-definitions.ts'

export type KeysetCursorRow = { rowId: number; createdAt: Date; updatedAt: Date }

/**
 * A list can continue after a row deleted less than 24 hours ago, for its former readers.
 * Everyone finds rows of a deleted group, whose members are no longer known.
 */
export const selectDeletedCursorRow = (
  me: MemberKeyExpression,
  name: string,
  table: PolicyTable,
  publicId: string,
): RawBuilder<unknown> => sql`
  select d.row_id as id, d.created_at, d.updated_at
  from deleted_rows d, jsonb_populate_record(null::${sql.table(table)}, d.keys) as gone
  where d.collection = ${name} and d.public_id = ${publicId}
    and d.deleted_at > clock_timestamp() - interval '24 hours'
    and (${whereMemberMayRead(me, table, 'gone')} or (d.keys ? 'group_id' and not exists (
      select from groups g where g.id = (d.keys ->> 'group_id')::bigint)))
  ${table === 'posts' ? sql`union all select p.id, p.created_at, p.updated_at from posts p join deleted_groups g on g.id = p.group_id where p.public_id = ${publicId}` : sql``}`

/**
 * Finds the cursor's row, even if it was deleted.
 * @throws Failure general_cursor_not_found, whether the row is unreadable or does not exist
 */
export async function findKeysetCursorRow(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  collection: CollectionName,
  cursor: string,
): Promise<KeysetCursorRow> {
  const { table } = collectionDefinitionsByName[collection]
  const { rows } = await sql<{ id: number; created_at: Date; updated_at: Date }>`
    select t.id, t.created_at, coalesce((to_jsonb(t) ->> 'updated_at')::timestamptz, t.created_at) as updated_at
    from ${sql.table(table)} as t where t.public_id = ${cursor} and ${whereMemberMayRead(memberKeyParameter(me.id), table, 't')}
    union all ${selectDeletedCursorRow(memberKeyParameter(me.id), collection, table, cursor)}
    limit 1`.execute(db)
  const row = rows[0]
  if (!row) {
    return throwFailure('general_cursor_not_found', {
      message: `Document '${cursor}' for the 'cursor' value not found.`,
      field: 'cursor',
    })
  }
  return { rowId: row.id, createdAt: row.created_at, updatedAt: row.updated_at }
}

export type ListedRow = { id: number; public_id: string }

/** `next` is null after the last page. */
export type RowKeyPage = { keys: number[]; next: string | null }

/** A page with fewer rows than `limit` is the last. */
export const toRowKeyPage = (rows: readonly ListedRow[], limit: number): RowKeyPage => ({
  keys: rows.map((row) => row.id),
  next: rows.length < limit ? null : (rows.at(-1)?.public_id ?? null),
})

/**
 * @param condition a condition over the collection's table
 * @param options.key the column whose values are the keys
 * @throws as findKeysetCursorRow
 */
export async function selectNewestFirstPage(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  collection: CollectionName,
  condition: RawBuilder<unknown>,
  { cursor, limit, key = 'id' }: { cursor: string | undefined; limit: number; key?: string },
): Promise<RowKeyPage> {
  const { table } = collectionDefinitionsByName[collection]
  const after = cursor === undefined ? null : await findKeysetCursorRow(db, me, collection, cursor)
  const { rows } = await sql<ListedRow>`
    select t.${sql.ref(key)} as id, t.public_id from ${sql.table(table)} as t
    where ${whereMemberMayRead(memberKeyParameter(me.id), table, 't')} and ${condition}
      ${after ? sql`and (t.created_at, t.id) < (${after.createdAt}, ${after.rowId})` : sql``}
    order by t.created_at desc, t.id desc limit ${limit}`.execute(db)
  return toRowKeyPage(rows, limit)
}

/** The cursor contains the time, so that the page does not shift when the row moves or is deleted. */
export const encodeCursor = (publicId: string, at: Date): string => `${at.getTime().toString(36)}~${publicId}`

/** @throws Failure general_cursor_not_found unless `encodeCursor` made the cursor */
export function decodeTimeCursor(cursor: string): { id: string; at: Date } {
  const [, time = '', id = ''] = /^([0-9a-z]{1,9})~(.*)$/.exec(cursor) ?? []
  if (!isValidPublicId(id)) throwFailure('general_cursor_not_found', { field: 'cursor' })
  return { id, at: new Date(Number.parseInt(time, 36)) }
}

/**
 * @returns the time that the reader saw, and the row's key
 * @throws as findKeysetCursorRow
 */
export async function decodePageCursorPosition(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  collection: CollectionName,
  cursor: string,
): Promise<{ at: Date; id: number }> {
  const { id, at } = decodeTimeCursor(cursor)
  const { rowId } = await findKeysetCursorRow(db, me, collection, id)
  return { at, id: rowId }
}
