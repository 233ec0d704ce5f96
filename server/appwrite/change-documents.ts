/** What is told of a change: the document as GET answers it to the one who hears, or what a deleted one was. */
import { type Kysely, sql } from 'kysely'
import { collections } from '../collections.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import { type Change, type DocumentChange, isOfDocument } from '../live-changes.ts'
import type { Documents } from '../live-delivery.ts'
import { asMe } from '../policy.ts'
import { toInstant } from '../views.ts'
import { documentCollections, ourNaming } from './document-collections.ts'
import { type Field, idOf } from './document-fields.ts'
import { capsOfOne, type Document, readDocument, readDocuments } from './document-reading.ts'
import { accountModel, sessionModel } from './models.ts'
import { databaseId } from './project.ts'

/** Whoever reads one of these may do the same with it, so that they differ in nothing but whose permissions they name. */
const alike = new Set<Change['collection']>(['messages', 'conversations'])

export function changeDocuments({ kysely: db }: Database, config: Config): Documents {
  return {
    of(change) {
      const same = change.kind === 'delete' || !isOfDocument(change)
      const shared = same || alike.has(change.collection)
      const reading = keyed<unknown, Document | null>()
      const telling = keyed<string, Document | null>()
      return ({ member, accountId }) =>
        telling(accountId, async () => {
          const document = await reading(shared ? 'all' : member, () =>
            readChanged(db, config, change, member),
          )
          return document && Object.freeze(shared && !same ? asReadBy(document, accountId) : document)
        })
    },
    async readable(collection, keys, reader) {
      const reading = { db, config, me: reader, naming: ourNaming }
      const found = await readDocuments(reading, collection, keys, capsOfOne)
      return new Map(found.map((document) => [document.$id, document]))
    },
  }
}

/** What was made once for a key is there for all who ask with it. */
function keyed<Key, Value>() {
  const made = new Map<Key, Promise<Value>>()
  return (key: Key, make: () => Promise<Value>): Promise<Value> => {
    const before = made.get(key)
    if (before) return before
    const value = make()
    made.set(key, value)
    return value
  }
}

const asReadBy = (document: Document, accountId: string): Document => ({
  ...document,
  $permissions: (document.$permissions as string[]).map((permission) =>
    permission.replace(/user:[^"]+/, `user:${accountId}`),
  ),
})

async function readChanged(
  db: Kysely<Tables>,
  config: Config,
  change: Change,
  reader: number | null,
): Promise<Document | null> {
  if (!isOfDocument(change)) return readOwn(db, change)
  if (change.kind === 'delete') return readDeleted(db, config, change)
  return reader === null ? null : readDocument(db, config, reader, change.collection, change.rowId)
}

/** An account's own change: the account, a session, or what is left of one. */
async function readOwn(db: Kysely<Tables>, { collection, kind, rowId, publicId, accountId }: Change) {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
  if (!account || collection === 'accounts') return account ? accountModel(account) : null
  const ended = { $id: publicId, userId: account.public_id }
  if (kind === 'delete') return ended
  const session = await db.selectFrom('sessions').selectAll().where('id', '=', rowId).executeTakeFirst()
  return session ? sessionModel(session, { accountId: account.public_id, current: false }) : ended
}

type Remains = { id: string; created: Date; updated: Date } & Record<string, unknown>

/**
 * Of a row that is gone: its attributes from the recorded state, ids in place of single related documents, and of lists
 * nothing. It is the same for all who could read it.
 */
async function readDeleted(
  db: Kysely<Tables>,
  config: Config,
  { collection, state }: DocumentChange,
): Promise<Document | null> {
  const fields = Object.entries(documentCollections[collection].fields)
  const columns = fields.flatMap(([name, field]) => {
    const value = remainsOf(field)
    return value ? [sql`${value} as ${sql.ref(name)}`] : []
  })
  const { rows } = await sql<Remains>`
    select t.public_id as id, t.created_at as created,
      coalesce((to_jsonb(t) ->> 'updated_at')::timestamptz, t.created_at) as updated,
      ${sql.join(columns)}
    from jsonb_populate_record(null::${sql.table(collections[collection].table)}, ${JSON.stringify(state)}::jsonb) as t`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  const attributes = fields.map(([name, field]) => [name, shownOf(field, row[name], config)])
  return {
    ...Object.fromEntries(attributes.filter(([, value]) => value !== undefined)),
    $id: row.id,
    $createdAt: toInstant(row.created),
    $updatedAt: toInstant(row.updated),
    $permissions: [],
    $databaseId: databaseId,
    $collectionId: collection,
  }
}

/** Nobody: what a document keeps for its owner alone is not in what was deleted. */
const nobody = asMe(0)

function remainsOf({ read, relation }: Field) {
  if (!read) return null
  return relation ? idOf(documentCollections[relation.target].table, read(nobody)) : read(nobody)
}

function shownOf({ read, show, relation }: Field, value: unknown, config: Config): unknown {
  if (relation?.edges) return []
  if (relation) return value === null ? null : { $id: value }
  if (!read) return undefined
  return show ? show(value, config) : value
}
