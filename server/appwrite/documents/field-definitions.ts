/**
 * Types of document attributes for reading, querying and writing. Collections combine them
 * (people-collections.ts and the other collection files), and all operations use the same definitions.
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

/** References a column of the row, whose alias is always `t`. */
export const documentRowColumn = (column: string): RawBuilder<unknown> => sql.ref(`t.${column}`)

/** The properties of a list of documents or files. */
export type QueryableListDefinition = {
  name: string
  /** The name of an entry in errors, by default `Document`. */
  singular?: string
  table: PolicyTable
  fields: Readonly<Record<string, Pick<DocumentFieldDefinition, 'query' | 'othersOnlyWithin'>>>
  /** Whether the row stores the time of its last edit. Otherwise the creation time is used. */
  hasUpdatedAt: boolean
  /** The displayed creation time, if it differs from the row's. */
  createdAt?: RawBuilder<unknown>
  /** Set if keys are in creation order and indexed. */
  orderedByKey?: true
  /**
   * The attributes, besides `$id`, that have an index for the whole list. Ordering by any other attribute
   * sorts all rows. Omitted if callers only read a few rows of their own.
   */
  indexedOrders?: readonly string[]
  /** The references whose `equal` filter leaves few rows to sort. */
  narrowedBy?: readonly string[]
  /** Leaves out tombstones wherever documents are looked up. */
  findFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Leaves readable rows out of lists. */
  listFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Excludes readable rows as cursors, if their position would reveal unreadable values. */
  cursorFilter?: (me: MemberKeyExpression) => SqlCondition
}

export type DocumentFieldDefinition = {
  /** The row's value; for a related document, its key. */
  read?: (me: MemberKeyExpression) => RawBuilder<unknown>
  /** Converts the row's value for display. Undefined omits the attribute. */
  show?: (value: unknown, config: Config) => unknown
  relation?: DocumentRelation
  query?: QueryableAttribute
  /**
   * If a query filters this attribute for members other than the caller, it must also filter one of these
   * references with `equal`.
   */
  othersOnlyWithin?: readonly string[]
  write: FieldWriteRule
}

export type DocumentRelation = {
  target: CollectionName
  /** The target's inverse relation, which is omitted in the related document. */
  inverse?: string
  /** Selects a list's children as rows `{ parent, child }`, newest first, at most `most` per parent. */
  edges?: (me: MemberKeyExpression, parents: readonly number[], most: number) => RawBuilder<RelationEdgeRow>
  /** Set if the list exists only in the reader's own document. */
  ownOnly?: true
  /** The list's true total, or null if it is private. */
  total?: (me: MemberKeyExpression) => RawBuilder<number | null>
}

export type RelationEdgeRow = { parent: number; child: number }

/** @throws Failure if the caller cannot read the row */
export type FindRowKeyByPublicId = (db: Kysely<DatabaseTables>, me: number, id: string) => Promise<number>

export type FieldWriteRule =
  /** The server sets it. Old clients may send it, and it is ignored. */
  | { as: 'derived' }
  /** A body must not contain it. */
  | { as: 'refused' }
  /** It is set at creation. Sending the same value again changes nothing. */
  | { as: 'kept' }
  | { as: 'constant'; value: string | boolean }
  | {
      as: 'value'
      column: string
      shape: z.ZodMiniType
      /**
       * The value that null means, and absence at creation. Without `blank` the attribute is required. If it
       * is undefined, a new row gets the database default and an existing row stays unchanged.
       */
      blank?: unknown
      /** The attribute can only be set at creation. */
      fixed?: true
    }
  /** The caller, whatever the body says. */
  | { as: 'actor'; column: string; missing?: ErrorType }
  | { as: 'reference'; column: string; find: FindRowKeyByPublicId; nullable?: true; fixed?: true }
  /** A finished upload, which then belongs to the row. */
  | { as: 'picture'; required: boolean }
  /** A state to enter. Writing it always triggers the transition. */
  | { as: 'state'; column: string; first: string; entered: readonly string[] }
  /** Two members, one of whom is the caller. */
  | { as: 'pair'; columns: readonly [string, string] }
  /** A list in which the caller can change only their own entry; see `UpdateOwnListEntry`. */
  | { as: 'link'; link: UpdateOwnListEntry }

/** @param given the ids in the client's list @param shown the ids in the current list */
export type UpdateOwnListEntry = (
  tx: StoreTransaction,
  me: AuthenticatedMember,
  row: { key: number; id: string; given: readonly string[]; shown: readonly string[] },
) => Promise<void>

export type DocumentCollection = DocumentDefinition & { name: CollectionName; table: PolicyTable }

/** Defines a collection's documents. The name and table come from contract/collection-names.ts. */
export type DocumentDefinition = Omit<QueryableListDefinition, 'name' | 'table'> & {
  fields: Record<string, DocumentFieldDefinition>
  /** The rate limit for creating a document. */
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
  /** This API cannot update the document, so readers have no update permission. */
  neverUpdated?: true
  /** Validates an update before checking permission, because readers may learn what is wrong. */
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

/** The creation time under the name `createdAt`. */
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

/** Defines the attribute with the creator's id. */
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

/** Reads the id of a related document, given as text or as a document with `$id`. */
export const readRelatedDocumentId = (given: unknown): string | null => {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '$id')) return null
  const { $id } = given as { $id: unknown }
  return typeof $id === 'string' ? $id : null
}

export const createEnumSchema = (...allowed: [string, ...string[]]) => z.enum(allowed)
