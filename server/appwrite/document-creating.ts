/**
 * A new document from the attributes of a body (façade rules of reading D-03): the server's own are dropped, the acting
 * person is the one who asks, and repeating what exists answers with it.
 */
import { sql } from 'kysely'
import { fail } from '../errors.ts'
import { isId } from '../ids.ts'
import type { Member } from '../session.ts'
import type { Values, Writing } from '../store.ts'
import { type DocumentCollection, findIn, idIn } from './document-fields.ts'
import {
  type Attribute,
  type Given,
  missing,
  mustBeId,
  mustBeOneOf,
  refuseUnknown,
  shaped,
  wrong,
} from './document-structure.ts'

/** The acting person. */
type Writer = Pick<Member, 'id' | 'publicId'>

/**
 * Creates a document, or finds the one that says the same.
 * @param id chosen by the client
 * @returns the row's key
 */
export async function createDocument(
  writing: Writing,
  me: Writer,
  collection: DocumentCollection,
  id: string,
  given: Given,
): Promise<number> {
  const values = await valuesToCreate(writing, me, collection, given)
  if (collection.name === 'groupMembers') return existingMembership(writing, me, values)
  const row = await writing.insert(me.id, collection.name, { ...values, public_id: id })
  // Repeating is answered with what is there; another document under a taken id is not.
  const same = Object.entries(values).every(([column, value]) => row[column as keyof typeof row] === value)
  return row.existed && !same ? fail('document_already_exists') : row.id
}

/**
 * Only the server admits members. An old client still writes the membership after it has made a group or approved a
 * request: it finds the one the server made.
 */
async function existingMembership(writing: Writing, me: Writer, values: Values): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select t.id from group_members t join groups g on g.id = t.group_id
    where t.group_id = ${values.group_id} and t.user_id = ${values.user_id}
      and t.role = ${values.role ?? 'member'} and ${me.id} in (t.user_id, g.admin_id)`.execute(writing.db)
  return rows[0]?.id ?? fail('user_unauthorized')
}

/**
 * @returns the columns of the row to create; the id is the caller's to add
 * @throws Failure document_invalid_structure naming the attribute, user_unauthorized where she would act as another
 */
export async function valuesToCreate(
  writing: Writing,
  me: Writer,
  collection: DocumentCollection,
  given: Given,
): Promise<Values> {
  refuseUnknown(collection, given)
  const values: Values = {}
  for (const [name, { write }] of Object.entries(collection.fields)) {
    Object.assign(
      values,
      await created(writing, me, {
        name,
        write,
        given: Object.hasOwn(given, name) ? given[name] : undefined,
      }),
    )
  }
  return values
}

async function created(writing: Writing, me: Writer, { name, write, given }: Attribute): Promise<Values> {
  const isBlank = given === undefined || given === null || given === ''
  switch (write.as) {
    case 'derived':
    case 'kept':
    case 'link':
      return {}
    case 'refused':
      return given === undefined ? {} : wrong(name, 'is not written with the document')
    case 'constant':
      return isBlank || given === write.value ? {} : mustBeOneOf(name, [String(write.value)])
    case 'state':
      return isBlank || given === write.first ? {} : mustBeOneOf(name, [write.first])
    case 'value':
      if (given === undefined || given === null) return 'blank' in write ? {} : missing(name)
      return { [write.column]: shaped(name, write, given) }
    case 'actor':
      if (given !== undefined && write.missing && !idIn(given)) fail(write.missing)
      if (given !== undefined && idIn(given) !== me.publicId) fail('user_unauthorized')
      return { [write.column]: me.id }
    case 'reference': {
      if (isBlank) return write.nullable ? {} : missing(name)
      return { [write.column]: await write.find(writing.db, me.id, idIn(given) ?? mustBeId(name)) }
    }
    case 'picture':
      if (isBlank) return write.required ? missing(name) : {}
      return { image_id: isId(given) ? given : mustBeId(name) }
    case 'pair':
      return pairOf(writing, me, name, write.columns, given)
  }
}

async function pairOf(
  writing: Writing,
  me: Writer,
  name: string,
  [low, high]: readonly [string, string],
  given: unknown,
): Promise<Values> {
  if (!Array.isArray(given) || given.length !== 2 || !given.every(isId)) {
    return wrong(name, 'must be a list of two ids')
  }
  if (!given.includes(me.publicId)) fail('user_unauthorized')
  const other = given.find((id) => id !== me.publicId) ?? fail('conversation_self_not_allowed')
  const key = await findIn('users')(writing.db, me.id, other)
  return { [low]: Math.min(me.id, key), [high]: Math.max(me.id, key) }
}
