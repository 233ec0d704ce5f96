/**
 * Rows as the documents that one member reads. Related documents come nested, two hops deep, each list capped with the
 * true number beside it (reading D-04); what she may not read is not there, at any depth.
 */
import { type Kysely, sql } from 'kysely'
import type { CollectionName } from '../collections.ts'
import type { Config } from '../config.ts'
import type { Tables } from '../database/schema.ts'
import { unseen } from '../database/statements.ts'
import { asMe, may, mayRead } from '../policy.ts'
import { toInstant } from '../views.ts'
import { documentCollections, type Naming, ourNaming } from './document-collections.ts'
import { type DocumentCollection, type Edge, type Field, type Relation, t } from './document-fields.ts'
import { everything, type Selection } from './document-selection.ts'

export type Document = Record<string, unknown> & { $id: string }

/** Who reads, and how the answer names things. */
export type Reading = { db: Kysely<Tables>; config: Config; me: number; naming: Naming }

/** How many related documents a list holds at most: of the document asked for, and of those nested in it. */
export type Caps = readonly [first: number, second: number]
export const capsOfOne: Caps = [100, 10]
export const capsInLists: Caps = [10, 3]

/**
 * One document as GET answers it to this member; what a live update carries.
 * @param key of the row
 * @returns null when she cannot read it, or it is gone
 */
export async function readDocument(
  db: Kysely<Tables>,
  config: Config,
  me: number,
  collection: CollectionName,
  key: number,
): Promise<Document | null> {
  const [document] = await readDocuments({ db, config, me, naming: ourNaming }, collection, [key], capsOfOne)
  return document ?? null
}

/** Documents by key, in the order of the keys; those she cannot read are left out. */
export async function readDocuments(
  reading: Reading,
  collection: CollectionName,
  keys: readonly number[],
  caps: Caps,
  selection: Selection = everything,
): Promise<Document[]> {
  const wanted = { definition: documentCollections[collection], caps, selection }
  const documents = await load(reading, wanted, keys)
  return keys.flatMap((key) => documents.get(key) ?? [])
}

type Wanted = {
  definition: DocumentCollection
  /** One for every hop that is left. */
  caps: readonly number[]
  selection: Selection
  /** The relation that leads back to where we came from. */
  without?: string
}

type Row = Record<string, unknown> & { $key: number }
type NamedFields = readonly (readonly [string, Field])[]

async function load(
  reading: Reading,
  wanted: Wanted,
  keys: readonly number[],
): Promise<Map<number, Document>> {
  if (keys.length === 0) return new Map()
  const fields = Object.entries(wanted.definition.fields).filter(([name]) => wanted.selection.has(name))
  const rows = await readRows(reading, wanted.definition, fields, keys)
  const related = new Map<string, Related>()
  for (const [name, { relation }] of fields) {
    if (!relation || !expands(wanted, name)) continue
    related.set(name, await readRelated(reading, wanted, { name, relation }, rows))
  }
  return new Map(rows.map((row) => [row.$key, toDocument(reading, wanted, row, fields, related)]))
}

const expands = ({ caps, without }: Wanted, relation: string) => caps.length > 0 && relation !== without

function readRows(
  { db, me }: Reading,
  { table, edited }: DocumentCollection,
  fields: NamedFields,
  keys: readonly number[],
): Promise<Row[]> {
  const asking = asMe(me)
  const columns = fields.flatMap(([name, { read, relation }]) => [
    ...(read ? [sql`${read(asking)} as ${sql.ref(name)}`] : []),
    ...(relation?.total ? [sql`${relation.total(asking)} as ${sql.ref(totalOf(name))}`] : []),
  ])
  return sql<Row>`
    select ${sql.join([
      sql`t.id as "$key", t.public_id as "$id", t.created_at as "$createdAt"`,
      sql`${edited ? t('updated_at') : t('created_at')} as "$updatedAt"`,
      sql`(select a.public_id from users u join accounts a on a.id = u.account_id where u.id = ${asking}) as "$reader"`,
      sql`${may(asking, 'update', table, 't')} as "$update", ${may(asking, 'delete', table, 't')} as "$delete"`,
      ...columns,
    ])}
    from ${sql.table(table)} as t where t.id = any(${unseen(keys)}) and ${mayRead(asking, table, 't')}`
    .execute(db)
    .then(({ rows }) => rows)
}

/** The true number of a capped list stands beside it. */
const totalOf = (list: string) => `${list}Total`

type Related = Map<number, Document[]>

/** The documents one relation leads to, by the key of the row that leads there. */
async function readRelated(
  reading: Reading,
  wanted: Wanted,
  { name, relation }: { name: string; relation: Relation },
  rows: readonly Row[],
): Promise<Related> {
  const [most = 0, ...capsBeyond] = wanted.caps
  const edges = relation.edges
    ? await readEdges(reading, relation, rows, most)
    : rows.map((row) => ({ parent: row.$key, child: row[name] as number }))
  const documents = await load(
    reading,
    {
      definition: documentCollections[relation.target],
      caps: capsBeyond,
      selection: wanted.selection.of(name),
      without: relation.inverse,
    },
    [...new Set(edges.map((edge) => edge.child))],
  )
  const related: Related = new Map()
  for (const { parent, child } of edges) {
    const document = documents.get(child)
    if (!document) continue
    const siblings = related.get(parent)
    if (siblings) siblings.push(document)
    else related.set(parent, [document])
  }
  return related
}

async function readEdges(
  { db, me }: Reading,
  { edges, ownOnly }: Relation,
  rows: readonly Row[],
  most: number,
): Promise<Edge[]> {
  const parents = rows.map((row) => row.$key).filter((key) => !ownOnly || key === me)
  if (!edges || parents.length === 0) return []
  const { rows: found } = await edges(asMe(me), parents, most).execute(db)
  return withoutExcess(found, most, me)
}

/** Only a list of likes can be one too long, by the reader's own: then the oldest of the others gives way. */
function withoutExcess(edges: readonly Edge[], most: number, me: number): Edge[] {
  const counts = new Map<number, number>()
  for (const { parent } of edges) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  const oldestFirst = edges.toReversed().filter(({ parent, child }) => {
    const count = counts.get(parent) ?? 0
    if (count <= most || child === me) return true
    counts.set(parent, count - 1)
    return false
  })
  return oldestFirst.reverse()
}

function toDocument(
  { config, naming }: Reading,
  wanted: Wanted,
  row: Row,
  fields: NamedFields,
  related: ReadonlyMap<string, Related>,
): Document {
  const attributes: Record<string, unknown> = {}
  for (const [name, { read, show, relation }] of fields) {
    const documents = related.get(name)?.get(row.$key) ?? []
    if (relation?.edges) {
      attributes[name] = documents
      const total = row[totalOf(name)]
      if (typeof total === 'number') attributes[totalOf(name)] = total
    } else if (relation) {
      // Beyond the last hop, and on the way back, a single related document is left out.
      if (expands(wanted, name)) attributes[name] = documents[0] ?? null
    } else if (read) {
      const shown = show ? show(row[name], config) : row[name]
      if (shown !== undefined) attributes[name] = shown
    }
  }
  const system = {
    $id: row.$id as string,
    $createdAt: toInstant(row.$createdAt as Date),
    $updatedAt: toInstant(row.$updatedAt as Date),
    $permissions: permissionsOf(row),
    $databaseId: naming.database,
    $collectionId: naming.collection(wanted.definition.name),
  }
  return wanted.selection.withSystem(attributes, system)
}

/** What the reader may do, in the dialect's words; what others may is nobody else's business. */
function permissionsOf(row: Row): string[] {
  const kinds = ['read', ...(row.$update ? ['update'] : []), ...(row.$delete ? ['delete'] : [])]
  return kinds.map((kind) => `${kind}("user:${row.$reader}")`)
}
