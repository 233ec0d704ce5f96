/**
 * A change of a document from the attributes of a body. What the server derives is dropped before anybody asks what it
 * would change (reading D-03), and what equals the document as it stands changes nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { asFailure, type Failure, fail } from '../errors.ts'
import { isId } from '../ids.ts'
import { asMe, may, mayRead } from '../policy.ts'
import type { Member } from '../session.ts'
import type { Values, Writing } from '../store.ts'
import { documentCollections } from './document-collections.ts'
import { type DocumentCollection, type Find, idIn, idOf, type Link, t } from './document-fields.ts'
import {
  type Attribute,
  fixed,
  type Given,
  idsIn,
  missing,
  mustBeId,
  mustBeOneOf,
  refuseUnknown,
  shaped,
  wrong,
} from './document-structure.ts'

/**
 * Changes a document as far as the body differs from it.
 * @param change.seenAt of the client's copy: an older one than the document is refused
 * @throws Failure document_not_found, user_unauthorized, document_invalid_structure, document_update_conflict
 * @returns the row's key
 */
export async function applyChange(
  writing: Writing,
  me: Member,
  collection: DocumentCollection,
  id: string,
  { given, seenAt }: { given: Given; seenAt: Date | null },
): Promise<number> {
  const row = await currentRow(writing, me, collection, id)
  if (seenAt && seenAt < row.$updatedAt) fail('document_update_conflict')
  const change = changeOf(collection, given, row)
  const changes = change.problem || change.finds.length > 0 || Object.keys(change.values).length > 0
  if (collection.structureFirst && change.problem) throw change.problem
  if (changes && !row.$update) fail(collection.refused?.(change.values) ?? 'user_unauthorized')
  if (change.problem) throw change.problem
  for (const { column, find, id: of } of change.finds) {
    change.values[column] = await find(writing.db, me.id, of)
  }
  if (Object.keys(change.values).length > 0) {
    await writing.update(me.id, collection.name, id, change.values)
  }
  for (const { link, ids, shown } of change.links) {
    await link(writing, me, { key: row.$key, id, given: ids, shown })
  }
  return row.$key
}

type CurrentRow = Record<string, unknown> & { $key: number; $updatedAt: Date; $update: boolean }

/** The document's own attributes as they stand, related documents by their ids. */
async function currentRow(
  writing: Writing,
  me: Member,
  { table, fields, edited }: DocumentCollection,
  id: string,
): Promise<CurrentRow> {
  const asking = asMe(me.id)
  const columns = Object.entries(fields).flatMap(([name, { read, relation }]) => {
    if (!read) return []
    const value = relation ? idOf(documentCollections[relation.target].table, read(asking)) : read(asking)
    return [sql`, ${value} as ${sql.ref(name)}`]
  })
  const { rows } = await sql<CurrentRow>`
    select t.id as "$key", ${t(edited ? 'updated_at' : 'created_at')} as "$updatedAt",
      ${may(asking, 'update', table, 't')} as "$update" ${sql.join(columns, sql``)}
    from ${sql.table(table)} as t where t.public_id = ${id} and ${mayRead(asking, table, 't')}`.execute(
    writing.db,
  )
  return rows[0] ?? fail('document_not_found')
}

type Change = {
  values: Values
  finds: { column: string; find: Find; id: string }[]
  links: { link: Link; ids: string[]; shown: string[] }[]
  /** The first thing that is wrong with it. */
  problem: Failure | null
}

function changeOf(collection: DocumentCollection, given: Given, row: CurrentRow): Change {
  const change: Change = { values: {}, finds: [], links: [], problem: null }
  try {
    refuseUnknown(collection, given)
    for (const [name, { write }] of Object.entries(collection.fields)) {
      if (Object.hasOwn(given, name)) patched(change, { name, write, given: given[name] }, row[name])
    }
  } catch (error) {
    change.problem = asFailure(error)
    if (!change.problem) throw error
  }
  return change
}

/** Adds to the change what the attribute would change; nothing where it equals the document. */
function patched(change: Change, { name, write, given }: Attribute, current: unknown): void {
  const isBlank = given === null || given === ''
  switch (write.as) {
    case 'derived':
      return
    case 'link':
      change.links.push({ link: write.link, ids: idsIn(name, given), shown: (current ?? []) as string[] })
      return
    case 'state':
      if (given === write.first && given === current) return
      if (typeof given !== 'string' || !write.entered.includes(given)) mustBeOneOf(name, write.entered)
      change.values[write.column] = given
      return
    case 'value': {
      if (isDeepStrictEqual(given, current)) return
      const value = given === null && 'blank' in write ? write.blank : shaped(name, write, given)
      if (isDeepStrictEqual(value, current)) return
      change.values[write.column] = write.fixed ? fixed(name) : value
      return
    }
    case 'reference':
      if (isBlank ? current === null : idIn(given) === current) return
      if (write.fixed) fixed(name)
      if (!isBlank) {
        const { column, find } = write
        change.finds.push({ column, find, id: idIn(given) ?? mustBeId(name) })
      } else change.values[write.column] = write.nullable ? null : missing(name)
      return
    case 'picture':
      if (isBlank ? current === null : given === current) return
      if (isBlank) change.values.image_id = write.required ? missing(name) : null
      else change.values.image_id = isId(given) ? given : mustBeId(name)
      return
    case 'pair':
      if (Array.isArray(given) && isDeepStrictEqual(new Set(given), new Set(current as string[]))) return
      fixed(name)
      return
    case 'actor':
      if (idIn(given) === current) return
      fixed(name)
      return
    case 'constant':
    case 'kept':
      if (given === (current ?? null)) return
      fixed(name)
      return
    case 'refused':
      wrong(name, 'is not written with the document')
  }
}
