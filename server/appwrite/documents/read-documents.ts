/**
 * Each document is read for one reader. Related documents are nested two levels deep. Long lists are cut, but their
 * totals count everything. Documents that the reader may not read are omitted.
 */
import { type Kysely, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { Config } from '#server/config.ts'
import { formatIsoTimestamp } from '#server/database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '#server/database/prepared-statements.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { memberKeyParameter, whereAccessRuleAllows, whereMemberMayRead } from '#server/policy/index.ts'
import { formatOwnPermissionStrings } from '../permission-strings.ts'
import { type AttributeSelection, selectAllAttributes } from './attribute-selection.ts'
import {
  type DocumentsResponseVocabulary,
  defaultDocumentsResponseVocabulary,
  documentCollections,
} from './document-collections.ts'
import {
  type DocumentCollection,
  type DocumentFieldDefinition,
  type DocumentRelation,
  documentRowColumn,
  type RelationEdgeRow,
  type SerializedDocument,
} from './field-definitions.ts'

export type DocumentReadContext = {
  db: Kysely<DatabaseTables>
  config: Config
  me: number
  naming: DocumentsResponseVocabulary
}

export type RelatedDocumentCaps = readonly [first: number, second: number]
export const singleDocumentRelatedCaps: RelatedDocumentCaps = [100, 10]
export const documentListRelatedCaps: RelatedDocumentCaps = [10, 3]
/** Lists of live changes contain only the reader's own entry. */
const eventCaps: RelatedDocumentCaps = [0, 0]

/** Returns the document as GET does, except for lists. Null if the row is unreadable or deleted. */
export async function readEventDocument(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  collection: CollectionName,
  key: number,
): Promise<SerializedDocument | null> {
  const [document] = await readDocuments(
    { db, config, me, naming: defaultDocumentsResponseVocabulary },
    collection,
    [key],
    eventCaps,
  )
  return document ?? null
}

/** Returns the documents in the order of the keys. */
export async function readDocuments(
  reading: DocumentReadContext,
  collection: CollectionName,
  keys: readonly number[],
  caps: RelatedDocumentCaps,
  selection: AttributeSelection = selectAllAttributes,
): Promise<SerializedDocument[]> {
  return readDocumentsByDefinition(reading, documentCollections[collection], keys, caps, selection)
}

export async function readDocumentsByDefinition(
  reading: DocumentReadContext,
  definition: DocumentCollection,
  keys: readonly number[],
  caps: RelatedDocumentCaps,
  selection: AttributeSelection = selectAllAttributes,
): Promise<SerializedDocument[]> {
  const wanted = { definition, caps, selection }
  const documents = await load(reading, wanted, keys)
  return keys.flatMap((key) => documents.get(key) ?? [])
}

type LoadRequest = {
  definition: DocumentCollection
  caps: readonly number[]
  selection: AttributeSelection
  excludedRelation?: string
}

type Row = Record<string, unknown> & { $key: number }
type NamedFields = readonly (readonly [string, DocumentFieldDefinition])[]

async function load(
  reading: DocumentReadContext,
  wanted: LoadRequest,
  keys: readonly number[],
): Promise<Map<number, SerializedDocument>> {
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

const expands = ({ caps, excludedRelation }: LoadRequest, relation: string) =>
  caps.length > 0 && relation !== excludedRelation

function readRows(
  { db, me }: DocumentReadContext,
  { table, createdAt = documentRowColumn('created_at'), hasUpdatedAt, neverUpdated }: DocumentCollection,
  fields: NamedFields,
  keys: readonly number[],
): Promise<Row[]> {
  const meParam = memberKeyParameter(me)
  const columns = fields.flatMap(([name, { read, relation }]) => [
    ...(read ? [sql`${read(meParam)} as ${sql.ref(name)}`] : []),
    ...(relation?.total ? [sql`${relation.total(meParam)} as ${sql.ref(totalOf(name))}`] : []),
  ])
  return sql<Row>`
    select ${sql.join([
      sql`t.id as "$key", t.public_id as "$id", ${createdAt} as "$createdAt"`,
      sql`${hasUpdatedAt ? documentRowColumn('updated_at') : createdAt} as "$updatedAt"`,
      sql`(select a.public_id from users u join accounts a on a.id = u.account_id where u.id = ${meParam}) as "$reader"`,
      sql`${neverUpdated ? sql`false` : whereAccessRuleAllows(meParam, 'update', table, 't')} as "$update"`,
      sql`${whereAccessRuleAllows(meParam, 'delete', table, 't')} as "$delete"`,
      ...columns,
    ])}
    from ${sql.table(table)} as t where t.id = any(${hideKeyArrayLengthFromPlanner(keys)}) and ${whereMemberMayRead(meParam, table, 't')}`
    .execute(db)
    .then(({ rows }) => rows)
}

const totalOf = (list: string) => `${list}Total`

type Related = Map<number, SerializedDocument[]>

async function readRelated(
  reading: DocumentReadContext,
  wanted: LoadRequest,
  { name, relation }: { name: string; relation: DocumentRelation },
  rows: readonly Row[],
): Promise<Related> {
  const [most = 0, ...deeperCaps] = wanted.caps
  const edges = relation.edges
    ? await readEdges(reading, relation, rows, most)
    : rows.map((row) => ({ parent: row.$key, child: row[name] as number }))
  const documents = await load(
    reading,
    {
      definition: documentCollections[relation.target],
      caps: deeperCaps,
      selection: wanted.selection.of(name),
      excludedRelation: relation.inverse,
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
  { db, me }: DocumentReadContext,
  { edges, ownOnly }: DocumentRelation,
  rows: readonly Row[],
  most: number,
): Promise<RelationEdgeRow[]> {
  const parents = rows.map((row) => row.$key).filter((key) => !ownOnly || key === me)
  if (!edges || parents.length === 0) return []
  const { rows: found } = await edges(memberKeyParameter(me), parents, most).execute(db)
  return withoutExcess(found, most, me)
}

/** Drops other members' oldest entries if the reader's own entry makes the list too long. */
function withoutExcess(edges: readonly RelationEdgeRow[], most: number, me: number): RelationEdgeRow[] {
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
  { config, naming }: DocumentReadContext,
  wanted: LoadRequest,
  row: Row,
  fields: NamedFields,
  related: ReadonlyMap<string, Related>,
): SerializedDocument {
  const attributes: Record<string, unknown> = {}
  for (const [name, { read, show, relation }] of fields) {
    const documents = related.get(name)?.get(row.$key) ?? []
    if (relation?.edges) {
      attributes[name] = documents
      const total = row[totalOf(name)]
      if (typeof total === 'number') attributes[totalOf(name)] = total
    } else if (relation) {
      if (expands(wanted, name)) attributes[name] = documents[0] ?? null
    } else if (read) {
      const shown = show ? show(row[name], config) : row[name]
      if (shown !== undefined) attributes[name] = shown
    }
  }
  const system = {
    $id: row.$id as string,
    $createdAt: formatIsoTimestamp(row.$createdAt as Date),
    $updatedAt: formatIsoTimestamp(row.$updatedAt as Date),
    $permissions: formatOwnPermissionStrings(String(row.$reader), {
      update: Boolean(row.$update),
      delete: Boolean(row.$delete),
    }),
    $databaseId: naming.database,
    [naming.collectionId]: naming.collection(wanted.definition.name),
  }
  return wanted.selection.withSystem(attributes, system)
}
