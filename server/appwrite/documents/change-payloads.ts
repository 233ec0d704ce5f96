/**
 * An event's payload is the document as GET returns it, with lists reduced to the recipient's own entry. For
 * a deleted document, the payload is its last state.
 */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { formatIsoTimestampOrNull } from '#server/database/iso-timestamp.ts'
import type { Database } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { memberKeyParameter } from '#server/policy/index.ts'
import type { ChangePayloadProvider } from '#server/realtime/fan-out.ts'
import { type DocumentChange, isDocumentChange, type LoggedChange } from '#server/store/change-log-reader.ts'
import { collectionDefinitionsByName } from '#server/store/collection-definitions.ts'
import {
  toAppwriteAccount,
  toAppwriteFile,
  toAppwriteSession,
  toAppwriteToken,
  uploaderPermissions,
} from '../build-response-models.ts'
import { appwriteBucketId, appwriteDatabaseId } from '../project-guard.ts'
import { documentCollections } from './document-collections.ts'
import {
  type DocumentFieldDefinition,
  documentRowColumn,
  publicIdSubquery,
  type SerializedDocument,
} from './field-definitions.ts'
import { readEventDocument } from './read-documents.ts'

/** The payload is the same for all readers, except for the permissions, which name the reader. */
const readerIndependent = new Set<LoggedChange['collection']>(['conversations'])

export function createDocumentPayloadProvider(
  { kysely: db }: Database,
  config: Config,
): ChangePayloadProvider {
  return {
    of(change) {
      const isSameForAll = change.kind === 'delete' || !isDocumentChange(change)
      const shared = isSameForAll || readerIndependent.has(change.collection)
      const readOnce = memoizeByKey<unknown, SerializedDocument | null>()
      const renderOnce = memoizeByKey<string, SerializedDocument | null>()
      return ({ member, accountId }) =>
        renderOnce(accountId, async () => {
          const document = await readOnce(shared ? 'all' : member, () =>
            readChanged(db, config, change, member),
          )
          return (
            document &&
            Object.freeze(shared && !isSameForAll ? withPermissionsOf(document, accountId) : document)
          )
        })
    },
  }
}

function memoizeByKey<Key, Value>() {
  const made = new Map<Key, Promise<Value>>()
  return (key: Key, make: () => Promise<Value>): Promise<Value> => {
    const existing = made.get(key)
    if (existing) return existing
    const value = make()
    made.set(key, value)
    return value
  }
}

const withPermissionsOf = (document: SerializedDocument, accountId: string): SerializedDocument => ({
  ...document,
  $permissions: (document.$permissions as string[]).map((permission) =>
    permission.replace(/user:[^"]+/, `user:${accountId}`),
  ),
})

async function readChanged(
  db: Kysely<DatabaseTables>,
  config: Config,
  change: LoggedChange,
  reader: number | null,
): Promise<SerializedDocument | null> {
  if (!isDocumentChange(change)) return readOwn(db, change)
  if (change.kind === 'delete') return readDeleted(db, config, change)
  return reader === null ? null : readEventDocument(db, config, reader, change.collection, change.rowId)
}

/** Only the account itself receives these. For an ended session, only ids. */
async function readOwn(db: Kysely<DatabaseTables>, change: LoggedChange): Promise<SerializedDocument | null> {
  const { collection, kind, rowId, publicId, accountId, state } = change
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
  if (!account) return null
  if (collection === 'tokens') {
    const token = await db
      .selectFrom('tokens')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    return token ? toAppwriteToken({ ...token, asked_as: account.public_id }) : null
  }
  if (collection === 'files') return readFile(db, state, account.public_id)
  if (collection === 'accounts') return toAppwriteAccount(account)
  const ended = { $id: publicId, userId: account.public_id }
  if (kind === 'delete') return ended
  const session = await db.selectFrom('sessions').selectAll().where('id', '=', rowId).executeTakeFirst()
  return session
    ? toAppwriteSession(session, { accountId: account.public_id, current: false, country: null })
    : ended
}

async function readFile(
  db: Kysely<DatabaseTables>,
  state: LoggedChange['state'],
  accountId: string,
): Promise<SerializedDocument | null> {
  const { rows } = await sql<Selectable<DatabaseTables['files']>>`
    select f.* from jsonb_populate_record(null::files, ${JSON.stringify(state)}::jsonb) as f`.execute(db)
  const [file] = rows
  return file
    ? toAppwriteFile(
        { ...file, ...uploaderPermissions, chunks_uploaded: file.chunks_total },
        appwriteBucketId,
        accountId,
      )
    : null
}

type DeletedRow = { id: string; created: Date | null; updated: Date | null } & Record<string, unknown>

/**
 * Reads the document with ids instead of related documents, and with empty lists. It is the same for all
 * readers.
 */
async function readDeleted(
  db: Kysely<DatabaseTables>,
  config: Config,
  { collection, state }: DocumentChange,
): Promise<SerializedDocument | null> {
  const { createdAt = documentRowColumn('created_at'), ...definition } = documentCollections[collection]
  const fields = Object.entries(definition.fields)
  const columns = fields.flatMap(([name, field]) => {
    const value = deletedColumn(field)
    return value ? [sql`${value} as ${sql.ref(name)}`] : []
  })
  const { rows } = await sql<DeletedRow>`
    select t.public_id as id, ${createdAt} as created,
      coalesce((to_jsonb(t) ->> 'updated_at')::timestamptz, ${createdAt}) as updated,
      ${sql.join(columns)}
    from jsonb_populate_record(null::${sql.table(collectionDefinitionsByName[collection].table)}, ${JSON.stringify(state)}::jsonb) as t`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  const attributes = fields.map(([name, field]) => [name, deletedValue(field, row[name], config)])
  return {
    ...Object.fromEntries(attributes.filter(([, value]) => value !== undefined)),
    $id: row.id,
    $createdAt: formatIsoTimestampOrNull(row.created),
    $updatedAt: formatIsoTimestampOrNull(row.updated),
    $permissions: [],
    $databaseId: appwriteDatabaseId,
    $collectionId: collection,
  }
}

/** No member has this key, so deleted documents leave out owner-only attributes. */
const noReader = memberKeyParameter(0)

function deletedColumn({ read, relation }: DocumentFieldDefinition) {
  if (!read) return null
  return relation
    ? publicIdSubquery(documentCollections[relation.target].table, read(noReader))
    : read(noReader)
}

function deletedValue(
  { read, show, relation }: DocumentFieldDefinition,
  value: unknown,
  config: Config,
): unknown {
  if (relation?.edges) return []
  if (relation) return value === null ? null : { $id: value }
  if (!read) return undefined
  return show ? show(value, config) : value
}
