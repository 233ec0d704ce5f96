/**
 * Attribute types for reading, querying and writing. Collections combine them (people-collections.ts and
 * others), and all operations use the same definitions.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { CollectionName } from '#contract/collection-names.ts'
import type { ErrorType } from '#contract/errors.ts'
import type { RateLimitClass } from '#contract/operation.ts'
import type { AuthenticatedMember } from '#server/auth/session.ts'
import type { Config } from '#server/config.ts'
import { formatIsoTimestamp } from '#server/database/iso-timestamp.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { throwFailure } from '#server/errors.ts'
import type { RateLimitContext } from '#server/features/chat/conversation-routes.ts'
import type { AnyRateLimitClass } from '#server/http/rate-limits.ts'
import {
  type MemberKeyExpression,
  memberKeyParameter,
  type PolicyTable,
  type SqlCondition,
  selectReadableRows,
} from '#server/policy/index.ts'
import type { ColumnValues, StoreTransaction } from '#server/store/store-transaction.ts'
import {
  createQueryableBoolean,
  createQueryableExactText,
  createQueryableText,
  createQueryableTimestamp,
  type QueryableAttribute,
  createQueryableReference as referenceQuery,
} from '../queries/queryable-attributes.ts'

export type SerializedDocument = Record<string, unknown> & { $id: string }

/** The row's alias is always `t`. */
export const documentRowColumn = (column: string): RawBuilder<unknown> => sql.ref(`t.${column}`)

export type QueryableListDefinition = {
  name: string
  /** In errors, by default `Document`. */
  singular?: string
  table: PolicyTable
  fields: Readonly<Record<string, Pick<DocumentFieldDefinition, 'query' | 'othersOnlyWithin'>>>
  /** Otherwise the creation time is shown as the time of the last edit. */
  hasUpdatedAt: boolean
  /** The displayed creation time, if it differs from the row's. */
  createdAt?: RawBuilder<unknown>
  /** Keys are in creation order and indexed. */
  orderedByKey?: true
  /**
   * The attributes, besides `$id`, with an index for the whole list; ordering by any other sorts all rows.
   * Omitted for callers' own few rows.
   */
  indexedOrders?: readonly string[]
  /** References whose `equal` filter leaves few rows to sort. */
  narrowedBy?: readonly string[]
  /** Leaves out tombstones wherever documents are looked up. */
  findFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Leaves readable rows out of lists. */
  listFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Excludes readable rows as cursors, if their position would reveal unreadable values. */
  cursorFilter?: (me: MemberKeyExpression) => SqlCondition
}

export type DocumentFieldDefinition = {
  /** For a related document, its key. */
  read?: (me: MemberKeyExpression) => RawBuilder<unknown>
  /** Undefined omits the attribute. */
  show?: (value: unknown, config: Config) => unknown
  relation?: DocumentRelation
  query?: QueryableAttribute
  /** A filter of this attribute for other members also needs an `equal` filter of one of these references. */
  othersOnlyWithin?: readonly string[]
  write: FieldWriteRule
}

export type DocumentRelation = {
  target: CollectionName
  /** The target's inverse relation, which the related document omits. */
  inverse?: string
  /** A list's children, newest first, at most `most` per parent. */
  edges?: (me: MemberKeyExpression, parents: readonly number[], most: number) => RawBuilder<RelationEdgeRow>
  /** The list exists only in the reader's own document. */
  ownOnly?: true
  /** Null if the total is private. */
  total?: (me: MemberKeyExpression) => RawBuilder<number | null>
}

export type RelationEdgeRow = { parent: number; child: number }

/** @throws Failure if the caller cannot read the row */
export type FindRowKeyByPublicId = (db: Kysely<DatabaseTables>, me: number, id: string) => Promise<number>

export type FieldWriteRule =
  /** Set by the server. Old clients may send it, and it is ignored. */
  | { as: 'derived' }
  /** A body must not contain it. */
  | { as: 'refused' }
  /** Set at creation. Sending the same value again changes nothing. */
  | { as: 'kept' }
  | { as: 'constant'; value: string | boolean }
  | {
      as: 'value'
      column: string
      shape: z.ZodMiniType
      /**
       * Stands for null, and for absence at creation. Without it, the attribute is required. If undefined, a
       * new row gets the database default and an existing row stays unchanged.
       */
      blank?: unknown
      /** Only at creation. */
      fixed?: true
    }
  /** The caller, whatever the body says. */
  | { as: 'actor'; column: string; missing?: ErrorType }
  | { as: 'reference'; column: string; find: FindRowKeyByPublicId; nullable?: true; fixed?: true }
  /** A finished upload, which then belongs to the row. */
  | { as: 'picture'; required: boolean }
  /** Writing the state always triggers the transition. */
  | { as: 'state'; column: string; first: string; entered: readonly string[] }
  /** Two members, one of whom is the caller. */
  | { as: 'pair'; columns: readonly [string, string] }
  /** A list in which the caller can change only their own entry. */
  | { as: 'link'; link: UpdateOwnListEntry }

/**
 * @param given the ids in the client's list
 * @param shown the ids in the current list
 */
export type UpdateOwnListEntry = (
  tx: StoreTransaction,
  me: AuthenticatedMember,
  row: { key: number; id: string; given: readonly string[]; shown: readonly string[] },
) => Promise<void>

export type DocumentCollection = DocumentDefinition & { name: CollectionName; table: PolicyTable }

/** The name and table come from contract/collection-names.ts. */
export type DocumentDefinition = Omit<QueryableListDefinition, 'name' | 'table'> & {
  fields: Record<string, DocumentFieldDefinition>
  /** For creating a document. */
  limit: RateLimitClass
  /** A second rate limit, which depends on attributes. */
  extraLimit?: {
    limit: AnyRateLimitClass
    /** Counts the request and runs `create`. @throws Failure 429, and errors of `create` */
    consumeFor<T>(
      ctx: RateLimitContext,
      me: AuthenticatedMember,
      given: Record<string, unknown>,
      create: () => Promise<T>,
    ): Promise<T>
  }
  /** Readers have no update permission. */
  neverUpdated?: true
  /** Readers may learn what is wrong with an update before its permission is checked. */
  validateBeforePermission?: true
  /** Returns a more specific error than `user_unauthorized`. */
  refusalOf?: (values: ColumnValues) => ErrorType
}

export const serverDerivedWriteRule: FieldWriteRule = { as: 'derived' }

export const defineTextField = (
  column: string,
  write: Partial<Extract<FieldWriteRule, { as: 'value' }>> & { shape: z.ZodMiniType },
): DocumentFieldDefinition => ({
  read: () => documentRowColumn(column),
  query: createQueryableText(documentRowColumn(column), documentRowColumn(`${column}_folded`)),
  write: { as: 'value', column, ...write },
})

export const defineConstantField = (column: string, value: string | boolean): DocumentFieldDefinition => ({
  read: () => documentRowColumn(column),
  query:
    typeof value === 'boolean'
      ? createQueryableBoolean(documentRowColumn(column))
      : createQueryableExactText(documentRowColumn(column)),
  write: { as: 'constant', value },
})

export const createdAtFieldDefinition: DocumentFieldDefinition = {
  read: () => documentRowColumn('created_at'),
  show: (time) => formatIsoTimestamp(time as Date),
  query: createQueryableTimestamp(documentRowColumn('created_at')),
  write: serverDerivedWriteRule,
}

export const publicIdSubquery = (table: PolicyTable, key: RawBuilder<unknown>) =>
  sql`(select related.public_id from ${sql.table(table)} as related where related.id = ${key})`

export const defineReferenceField = (
  column: string,
  table: PolicyTable,
  write: Omit<Extract<FieldWriteRule, { as: 'reference' }>, 'as' | 'column' | 'find'> & {
    find?: FindRowKeyByPublicId
  },
): DocumentFieldDefinition => ({
  read: () => publicIdSubquery(table, documentRowColumn(column)),
  query: referenceQuery(documentRowColumn(column), table),
  write: { as: 'reference', column, find: createRowKeyFinder(table), ...write },
})

/** The creator's id. */
export const defineActorIdField = (column: string): DocumentFieldDefinition => ({
  read: () => publicIdSubquery('users', documentRowColumn(column)),
  query: referenceQuery(documentRowColumn(column), 'users'),
  write: { as: 'actor', column },
})

export const createRowKeyFinder =
  (table: PolicyTable, missing: ErrorType = 'document_not_found'): FindRowKeyByPublicId =>
  async (db, me, id) => {
    const found = await selectReadableRows(db, memberKeyParameter(me), table)
      .select(sql<number>`id`.as('id'))
      .where(sql<boolean>`public_id = ${id}`)
      .executeTakeFirst()
    return found?.id ?? throwFailure(missing)
  }

export const definePictureField = (required: boolean): DocumentFieldDefinition => ({
  read: () => publicIdSubquery('files', documentRowColumn('image_id')),
  query: referenceQuery(documentRowColumn('image_id'), 'files'),
  write: { as: 'picture', required },
})

/** Accepts text or a document with `$id`. */
export const readRelatedDocumentId = (given: unknown): string | null => {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '$id')) return null
  const { $id } = given as { $id: unknown }
  return typeof $id === 'string' ? $id : null
}

export const createEnumSchema = (...allowed: [string, ...string[]]) => z.enum(allowed)
