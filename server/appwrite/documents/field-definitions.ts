/**
 * Each collection is defined with these types (people-collections.ts and others), and all operations use
 * them.
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

/** The row's alias is `t` in every statement. */
export const documentRowColumn = (column: string): RawBuilder<unknown> => sql.ref(`t.${column}`)

export type QueryableListDefinition = {
  name: string
  singular?: string
  table: PolicyTable
  fields: Readonly<Record<string, Pick<DocumentFieldDefinition, 'query' | 'othersOnlyWithin'>>>
  /** If false, the creation time is shown as the update time. */
  hasUpdatedAt: boolean
  createdAt?: RawBuilder<unknown>
  /** Keys follow the creation order and have an index. */
  orderedByKey?: true
  /**
   * Attributes with an index, besides `$id`. Ordering by others sorts all rows. Omitted for callers' own few
   * rows.
   */
  indexedOrders?: readonly string[]
  /** An `equal` filter on one of these attributes leaves few rows to sort. */
  narrowedBy?: readonly string[]
  findFilter?: (me: MemberKeyExpression) => SqlCondition
  listFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Excludes cursors whose position could reveal unreadable values. */
  cursorFilter?: (me: MemberKeyExpression) => SqlCondition
}

export type DocumentFieldDefinition = {
  read?: (me: MemberKeyExpression) => RawBuilder<unknown>
  /** Returning undefined omits the attribute. */
  show?: (value: unknown, config: Config) => unknown
  relation?: DocumentRelation
  query?: QueryableAttribute
  /** A query for other members also needs `equal` for one of these. */
  othersOnlyWithin?: readonly string[]
  write: FieldWriteRule
}

export type DocumentRelation = {
  target: CollectionName
  /** The related document omits this attribute. */
  inverse?: string
  edges?: (me: MemberKeyExpression, parents: readonly number[], most: number) => RawBuilder<RelationEdgeRow>
  ownOnly?: true
  total?: (me: MemberKeyExpression) => RawBuilder<number | null>
}

export type RelationEdgeRow = { parent: number; child: number }

/** @throws Failure if the caller cannot read the row */
export type FindRowKeyByPublicId = (db: Kysely<DatabaseTables>, me: number, id: string) => Promise<number>

export type FieldWriteRule =
  /** The server computes the value. Old clients may send one, which is ignored. */
  | { as: 'derived' }
  | { as: 'refused' }
  /** Sending the same value again changes nothing. */
  | { as: 'kept' }
  | { as: 'constant'; value: string | boolean }
  | {
      as: 'value'
      column: string
      shape: z.ZodMiniType
      /**
       * Stands for null, and for an absent attribute at creation. Without `blank`, the attribute is required.
       * If `blank` is undefined, the database default applies.
       */
      blank?: unknown
      fixed?: true
    }
  /** The value is the caller, whatever the body says. */
  | { as: 'actor'; column: string; missing?: ErrorType }
  | { as: 'reference'; column: string; find: FindRowKeyByPublicId; nullable?: true; fixed?: true }
  /** The value is a finished upload, which then belongs to the row. */
  | { as: 'picture'; required: boolean }
  /** Writing the state always triggers the transition. */
  | { as: 'state'; column: string; first: string; entered: readonly string[] }
  /** The values are two members, one of whom is the caller. */
  | { as: 'pair'; columns: readonly [string, string] }
  /** The caller can change only their own entry. */
  | { as: 'link'; link: UpdateOwnListEntry }

/**
 * Adds or removes the caller's own entry.
 * @param row.given the list that the client sent
 * @param row.shown the list as the caller sees it now
 */
export type UpdateOwnListEntry = (
  tx: StoreTransaction,
  me: AuthenticatedMember,
  row: { key: number; id: string; given: readonly string[]; shown: readonly string[] },
) => Promise<void>

export type DocumentCollection = DocumentDefinition & { name: CollectionName; table: PolicyTable }

/** contract/collection-names.ts defines the name and the table. */
export type DocumentDefinition = Omit<QueryableListDefinition, 'name' | 'table'> & {
  fields: Record<string, DocumentFieldDefinition>
  limit: RateLimitClass
  extraLimit?: {
    limit: AnyRateLimitClass
    /** Counts the request. @throws Failure 429, and errors of `create` */
    consumeFor<T>(
      ctx: RateLimitContext,
      me: AuthenticatedMember,
      given: Record<string, unknown>,
      create: () => Promise<T>,
    ): Promise<T>
  }
  neverUpdated?: true
  /** Readers may learn what is wrong with an update. */
  validateBeforePermission?: true
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

export const readRelatedDocumentId = (given: unknown): string | null => {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '$id')) return null
  const { $id } = given as { $id: unknown }
  return typeof $id === 'string' ? $id : null
}

export const createEnumSchema = (...allowed: [string, ...string[]]) => z.enum(allowed)
