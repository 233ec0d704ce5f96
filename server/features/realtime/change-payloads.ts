/**
 * Messages are sent whole, and other rows only as ids. All readers share a change, except for its read
 * receipts.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import { relatedRows } from '#contract/realtime/realtime.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { toSnakeCase } from '../../database/table-names.ts'
import { memberKeyParameter, whereMemberMayRead } from '../../policy/index.ts'
import type { ChangePayloadProvider, RealtimeDocument } from '../../realtime/fan-out.ts'
import {
  type DocumentChange,
  isDocumentChange,
  isForProductSocketOnly,
  type LoggedChange,
} from '../../store/change-log-reader.ts'
import { collectionDefinitionsByName } from '../../store/collection-definitions.ts'
import { hydrateMessages, loadMessagesForBothParticipants } from '../chat/hydrate-chat.ts'

/** The fan-out decides who receives the payloads. */
export function createProductPayloadProvider(db: Kysely<DatabaseTables>): ChangePayloadProvider {
  return {
    of(change) {
      let loaded: Promise<(member: number | null) => RealtimeDocument | null> | undefined
      return async ({ member }) => {
        loaded ??= loadView(db, change)
        return (await loaded)(member)
      }
    },
  }
}

async function loadView(
  db: Kysely<DatabaseTables>,
  change: LoggedChange,
): Promise<(member: number | null) => RealtimeDocument | null> {
  if (change.collection === 'messages' && change.kind !== 'delete') {
    const [shownTo] = await loadMessagesForBothParticipants(db, [change.rowId])
    return (member) => (shownTo && member !== null ? shownTo(member) : null)
  }
  const document = await viewOf(db, change)
  return () => document && Object.freeze(document)
}

async function viewOf(db: Kysely<DatabaseTables>, change: LoggedChange): Promise<RealtimeDocument | null> {
  if (!isDocumentChange(change)) {
    return isForProductSocketOnly(change.collection) ? { $id: change.publicId } : null
  }
  const [view] =
    change.kind === 'delete'
      ? await loadDeletedDocumentIds(db, change.collection, [change])
      : await referencesOf(db, change.collection, [change.rowId])
  return view ?? null
}

const referencesOf = (
  db: Kysely<DatabaseTables>,
  collection: CollectionName,
  keys: readonly number[],
): Promise<RealtimeDocument[]> =>
  selectReferences(
    db,
    collection,
    sql`from ${sql.table(collectionDefinitionsByName[collection].table)} as t where t.id = any(${hideKeyArrayLengthFromPlanner(keys)})`,
  )

export async function readChangeReferences(
  db: Kysely<DatabaseTables>,
  collection: CollectionName,
  keys: readonly number[],
  me: number,
): Promise<Map<string, RealtimeDocument>> {
  const { table } = collectionDefinitionsByName[collection]
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(table)} as t
    where t.id = any(${hideKeyArrayLengthFromPlanner(keys)}) and ${whereMemberMayRead(memberKeyParameter(me), table, 't')}`.execute(
    db,
  )
  const readable = rows.map(({ id }) => id)
  const views =
    collection === 'messages'
      ? await hydrateMessages(db, me, readable)
      : await referencesOf(db, collection, readable)
  return new Map(views.map((view) => [view.$id, view]))
}

/** Ids of rows that no longer exist are left out. */
export const loadDeletedDocumentIds = (
  db: Kysely<DatabaseTables>,
  collection: CollectionName,
  changes: readonly DocumentChange[],
): Promise<RealtimeDocument[]> =>
  selectReferences(
    db,
    collection,
    sql`from jsonb_populate_recordset(null::${sql.table(collectionDefinitionsByName[collection].table)},
      ${JSON.stringify(changes.map(({ state }) => state))}::jsonb) as t`,
  )

/** @param rows a from clause with the alias `t` */
async function selectReferences(
  db: Kysely<DatabaseTables>,
  collection: CollectionName,
  rows: RawBuilder<unknown>,
): Promise<RealtimeDocument[]> {
  const ids = Object.entries<CollectionName>(relatedRows[collection]).map(([name, target]) => {
    const column = sql.ref(`t.${toSnakeCase(name)}`)
    // A removed comment does not name its author.
    const isNamed = collection === 'comments' && name === 'authorId' ? sql`t.removed_at is null` : sql`true`
    return sql`(select r.public_id from ${sql.table(collectionDefinitionsByName[target].table)} as r
        where r.id = ${column} and ${isNamed}) as ${sql.ref(name)}`
  })
  const { rows: found } = await sql<RealtimeDocument>`
    select ${sql.join([sql`t.public_id as "$id"`, ...ids])} ${rows}`.execute(db)
  return found
}
