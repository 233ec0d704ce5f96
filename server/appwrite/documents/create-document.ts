/**
 * Drops attributes that the server sets, uses the caller as the actor, and returns an equal document if one
 * exists.
 */
import { sql } from 'kysely'
import type { AuthenticatedMember } from '#server/auth/session.ts'
import { throwFailure } from '#server/errors.ts'
import { followOrRequestFollow } from '#server/features/people/follow-request-routes.ts'
import { generateId, isValidPublicId } from '#server/ids.ts'
import { memberKeyParameter, whereMemberHasAbility } from '#server/policy/index.ts'
import type { ColumnValues, StoreTransaction } from '#server/store/store-transaction.ts'
import { requestedFollowCollection } from './document-collections.ts'
import {
  createRowKeyFinder,
  type DocumentCollection,
  type DocumentDefinition,
  readRelatedDocumentId,
} from './field-definitions.ts'
import {
  type AttributeWriteInput,
  type DocumentBodyAttributes,
  failAttributeNotDocumentId,
  failAttributeNotInEnum,
  failInvalidAttribute,
  failMissingAttribute,
  failUnknownAttributes,
  parseAttributeValue,
} from './validate-document.ts'

export type DocumentReference = { collection: DocumentCollection; key: number }

type ActingMember = Pick<AuthenticatedMember, 'id' | 'publicId'>

/**
 * Following a private account creates a request, which the caller reads as the future follow.
 * @param id chosen by the client
 */
export async function createDocument(
  tx: StoreTransaction,
  me: ActingMember,
  collection: DocumentCollection,
  id: string,
  given: DocumentBodyAttributes,
): Promise<DocumentReference> {
  const values = await buildDocumentInsertValues(tx, me, collection, given)
  if (collection.name === 'groupMembers') {
    return { collection, key: await existingMembership(tx, me, values) }
  }
  if (collection.name === 'follows') {
    const { key, requested } = await followOrRequestFollow(tx, me, values.following_id as number, id)
    return { collection: requested ? requestedFollowCollection : collection, key }
  }
  // Ignores the client's id, because two members share one conversation. If it already exists, the response
  // contains an id that the client did not choose, which would otherwise reveal that it existed.
  const public_id = collection.name === 'conversations' ? generateId() : id
  const row = await tx.insert(me.id, collection.name, { ...values, public_id })
  // A repeated request returns the existing document.
  const same = Object.entries({ ...absentReferences(collection), ...values }).every(
    ([column, value]) => row[column as keyof typeof row] === value,
  )
  if (row.existed && !same) throwFailure('document_already_exists')
  return { collection, key: row.id }
}

const absentReferences = ({ fields }: DocumentDefinition): ColumnValues =>
  Object.fromEntries(
    Object.values(fields).flatMap(({ write }) =>
      write.as === 'reference' && write.nullable ? [[write.column, null]] : [],
    ),
  )

/** Old clients create the membership themselves after creating a group or approving a request. */
async function existingMembership(
  tx: StoreTransaction,
  me: ActingMember,
  values: ColumnValues,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select t.id from group_members t
    where t.group_id = ${values.group_id} and t.user_id = ${values.user_id}
      and t.role = ${values.role ?? 'member'} and ${whereMemberHasAbility(memberKeyParameter(me.id), 'confirm', 'group_members', 't')}`.execute(
    tx.db,
  )
  return rows[0]?.id ?? throwFailure('user_unauthorized')
}

/**
 * Returns columns without the id.
 * @throws Failure document_invalid_structure naming the attribute, user_unauthorized for acting as another
 * member
 */
export async function buildDocumentInsertValues(
  tx: StoreTransaction,
  me: ActingMember,
  collection: DocumentDefinition,
  given: DocumentBodyAttributes,
): Promise<ColumnValues> {
  failUnknownAttributes(collection, given)
  const values: ColumnValues = {}
  for (const [name, { write }] of Object.entries(collection.fields)) {
    Object.assign(
      values,
      await columnsToInsert(tx, me, {
        name,
        write,
        given: Object.hasOwn(given, name) ? given[name] : undefined,
      }),
    )
  }
  return values
}

async function columnsToInsert(
  tx: StoreTransaction,
  me: ActingMember,
  { name, write, given }: AttributeWriteInput,
): Promise<ColumnValues> {
  const isBlank = given === undefined || given === null || given === ''
  switch (write.as) {
    case 'derived':
    case 'kept':
    case 'link':
      return {}
    case 'refused':
      return given === undefined ? {} : failInvalidAttribute(name, 'is not written with the document')
    case 'constant':
      return isBlank || given === write.value ? {} : failAttributeNotInEnum(name, [String(write.value)])
    case 'state':
      return isBlank || given === write.first ? {} : failAttributeNotInEnum(name, [write.first])
    case 'value':
      if (given === undefined || given === null) return 'blank' in write ? {} : failMissingAttribute(name)
      return { [write.column]: parseAttributeValue(name, write, given) }
    case 'actor':
      if (given !== undefined && write.missing && !readRelatedDocumentId(given)) throwFailure(write.missing)
      if (given !== undefined && readRelatedDocumentId(given) !== me.publicId)
        throwFailure('user_unauthorized')
      return { [write.column]: me.id }
    case 'reference': {
      if (isBlank) return write.nullable ? {} : failMissingAttribute(name)
      return {
        [write.column]: await write.find(
          tx.db,
          me.id,
          readRelatedDocumentId(given) ?? failAttributeNotDocumentId(name),
        ),
      }
    }
    case 'picture':
      if (isBlank) return write.required ? failMissingAttribute(name) : {}
      return { image_id: isValidPublicId(given) ? given : failAttributeNotDocumentId(name) }
    case 'pair':
      return parsePair(tx, me, name, write.columns, given)
  }
}

async function parsePair(
  tx: StoreTransaction,
  me: ActingMember,
  name: string,
  [low, high]: readonly [string, string],
  given: unknown,
): Promise<ColumnValues> {
  if (!Array.isArray(given) || given.length !== 2 || !given.every(isValidPublicId)) {
    return failInvalidAttribute(name, 'must be a list of two ids')
  }
  if (!given.includes(me.publicId)) throwFailure('user_unauthorized')
  const other = given.find((id) => id !== me.publicId) ?? throwFailure('conversation_self_not_allowed')
  const key = await createRowKeyFinder('users')(tx.db, me.id, other)
  return { [low]: Math.min(me.id, key), [high]: Math.max(me.id, key) }
}
