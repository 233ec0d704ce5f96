/** An update drops attributes that the server sets, and ignores unchanged attributes. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { AuthenticatedMember } from '#server/auth/session.ts'
import { type Failure, throwFailure, toFailure } from '#server/errors.ts'
import { isValidPublicId } from '#server/ids.ts'
import { memberKeyParameter, whereAccessRuleAllows, whereMemberMayRead } from '#server/policy/index.ts'
import type { ColumnValues, StoreTransaction } from '#server/store/store-transaction.ts'
import { documentCollections } from './document-collections.ts'
import {
  type DocumentCollection,
  documentRowColumn,
  type FindRowKeyByPublicId,
  publicIdSubquery,
  readRelatedDocumentId,
  type UpdateOwnListEntry,
} from './field-definitions.ts'
import {
  type AttributeWriteInput,
  type DocumentBodyAttributes,
  failAttributeNotDocumentId,
  failAttributeNotInEnum,
  failImmutableAttribute,
  failInvalidAttribute,
  failMissingAttribute,
  failUnknownAttributes,
  parseAttributeIdList,
  parseAttributeValue,
} from './validate-document.ts'

/**
 * @param change.seenAt the time of the client's copy; refused if the document is newer
 * @throws Failure document_not_found, user_unauthorized, document_invalid_structure, document_update_conflict
 */
export async function applyDocumentUpdate(
  tx: StoreTransaction,
  me: AuthenticatedMember,
  collection: DocumentCollection,
  id: string,
  { given, seenAt }: { given: DocumentBodyAttributes; seenAt: Date | null },
): Promise<number> {
  const row = await currentRow(tx, me, collection, id)
  if (seenAt && seenAt < row.$updatedAt) throwFailure('document_update_conflict')
  const change = diffDocument(collection, given, row)
  const changes = change.problem || change.references.length > 0 || Object.keys(change.values).length > 0
  if (collection.validateBeforePermission && change.problem) throw change.problem
  if (changes && !row.$update) throwFailure(collection.refusalOf?.(change.values) ?? 'user_unauthorized')
  if (change.problem) throw change.problem
  for (const { column, find, id: of } of change.references) {
    change.values[column] = await find(tx.db, me.id, of)
  }
  if (Object.keys(change.values).length > 0) {
    await tx.update(me.id, collection.name, id, change.values)
  }
  for (const { link, ids, shown } of change.links) {
    await link(tx, me, { key: row.$key, id, given: ids, shown })
  }
  return row.$key
}

type CurrentRow = Record<string, unknown> & { $key: number; $updatedAt: Date; $update: boolean }

async function currentRow(
  tx: StoreTransaction,
  me: AuthenticatedMember,
  {
    table,
    fields,
    createdAt = documentRowColumn('created_at'),
    hasUpdatedAt,
    findFilter,
  }: DocumentCollection,
  id: string,
): Promise<CurrentRow> {
  const meParam = memberKeyParameter(me.id)
  const columns = Object.entries(fields).flatMap(([name, { read, relation }]) => {
    if (!read) return []
    const value = relation
      ? publicIdSubquery(documentCollections[relation.target].table, read(meParam))
      : read(meParam)
    return [sql`, ${value} as ${sql.ref(name)}`]
  })
  const { rows } = await sql<CurrentRow>`
    select t.id as "$key", ${hasUpdatedAt ? documentRowColumn('updated_at') : createdAt} as "$updatedAt",
      ${whereAccessRuleAllows(meParam, 'update', table, 't')} as "$update" ${sql.join(columns, sql``)}
    from ${sql.table(table)} as t where t.public_id = ${id} and ${whereMemberMayRead(meParam, table, 't')}
      ${findFilter ? sql`and ${findFilter(meParam)}` : sql``}`.execute(tx.db)
  return rows[0] ?? throwFailure('document_not_found')
}

type DocumentDiff = {
  values: ColumnValues
  references: { column: string; find: FindRowKeyByPublicId; id: string }[]
  links: { link: UpdateOwnListEntry; ids: string[]; shown: string[] }[]
  problem: Failure | null
}

function diffDocument(
  collection: DocumentCollection,
  given: DocumentBodyAttributes,
  row: CurrentRow,
): DocumentDiff {
  const change: DocumentDiff = { values: {}, references: [], links: [], problem: null }
  try {
    failUnknownAttributes(collection, given)
    for (const [name, { write }] of Object.entries(collection.fields)) {
      if (Object.hasOwn(given, name))
        addAttributeChange(change, { name, write, given: given[name] }, row[name])
    }
  } catch (error) {
    change.problem = toFailure(error)
    if (!change.problem) throw error
  }
  return change
}

function addAttributeChange(
  change: DocumentDiff,
  { name, write, given }: AttributeWriteInput,
  current: unknown,
): void {
  const isBlank = given === null || given === ''
  switch (write.as) {
    case 'derived':
      return
    case 'link':
      change.links.push({
        link: write.link,
        ids: parseAttributeIdList(name, given),
        shown: (current ?? []) as string[],
      })
      return
    case 'state':
      if (given === write.first && given === current) return
      if (typeof given !== 'string' || !write.entered.includes(given))
        failAttributeNotInEnum(name, write.entered)
      change.values[write.column] = given
      return
    case 'value': {
      if (isDeepStrictEqual(given, current)) return
      const value = given === null && 'blank' in write ? write.blank : parseAttributeValue(name, write, given)
      if (value === undefined || isDeepStrictEqual(value, current)) return
      change.values[write.column] = write.fixed ? failImmutableAttribute(name) : value
      return
    }
    case 'reference':
      if (isBlank ? current === null : readRelatedDocumentId(given) === current) return
      if (write.fixed) failImmutableAttribute(name)
      if (!isBlank) {
        const { column, find } = write
        change.references.push({
          column,
          find,
          id: readRelatedDocumentId(given) ?? failAttributeNotDocumentId(name),
        })
      } else change.values[write.column] = write.nullable ? null : failMissingAttribute(name)
      return
    case 'picture':
      if (isBlank ? current === null : given === current) return
      if (isBlank) change.values.image_id = write.required ? failMissingAttribute(name) : null
      else change.values.image_id = isValidPublicId(given) ? given : failAttributeNotDocumentId(name)
      return
    case 'pair':
      if (Array.isArray(given) && isDeepStrictEqual(new Set(given), new Set(current as string[]))) return
      failImmutableAttribute(name)
      return
    case 'actor':
      if (readRelatedDocumentId(given) === current) return
      failImmutableAttribute(name)
      return
    case 'constant':
    case 'kept':
      if (given === (current ?? null)) return
      failImmutableAttribute(name)
      return
    case 'refused':
      failInvalidAttribute(name, 'is not written with the document')
  }
}
