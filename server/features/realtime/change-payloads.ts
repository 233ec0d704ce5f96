/**
 * Messages are sent whole, and other rows only as ids. All readers share a change, except for its read
 * receipts.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { RelatedIdField } from '#contract/realtime/realtime.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
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

/** For each id field: its column, its collection, and a column that hides the id when it is set. */
const references: {
  [C in CollectionName]: Record<RelatedIdField<C>, readonly [string, CollectionName, hiddenBy?: string]>
} = {
  users: {},
  posts: { creatorId: ['creator_id', 'users'], groupId: ['group_id', 'groups'] },
  comments: {
    postId: ['post_id', 'posts'],
    authorId: ['author_id', 'users', 'removed_at'],
    parentId: ['parent_id', 'comments'],
  },
  saves: { userId: ['user_id', 'users'], postId: ['post_id', 'posts'] },
  follows: { followerId: ['follower_id', 'users'], followingId: ['following_id', 'users'] },
  groups: { adminId: ['admin_id', 'users'] },
  groupMembers: { groupId: ['group_id', 'groups'], userId: ['user_id', 'users'] },
  groupRequests: { groupId: ['group_id', 'groups'], userId: ['user_id', 'users'] },
  conversations: {},
  messages: { conversationId: ['conversation_id', 'conversations'], senderId: ['sender_id', 'users'] },
}

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
  const ids = Object.entries(references[collection]).map(
    ([name, [column, target, hiddenBy]]) =>
      sql`(select r.public_id from ${sql.table(collectionDefinitionsByName[target].table)} as r
        where r.id = ${sql.ref(`t.${column}`)} and ${hiddenBy ? sql`${sql.ref(`t.${hiddenBy}`)} is null` : sql`true`}) as ${sql.ref(name)}`,
  )
  const { rows: found } = await sql<RealtimeDocument>`
    select ${sql.join([sql`t.public_id as "$id"`, ...ids])} ${rows}`.execute(db)
  return found
}
