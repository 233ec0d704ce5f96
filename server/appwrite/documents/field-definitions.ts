/**
 * Types of document attributes: reading, querying and writing. Collections combine them
 * (people-collections.ts and neighbours), and all operations walk the same definitions.
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
import type { ColumnValues, WriteContext } from '#server/store/write-context.ts'
import {
  createQueryableBoolean,
  createQueryableExactText,
  createQueryableText,
  createQueryableTimestamp,
  type QueryableAttribute,
  createQueryableReference as referenceQuery,
} from '../queries/queryable-attributes.ts'

export type SerializedDocument = Record<string, unknown> & { $id: string }

/** A column of the row, whose alias is always `t`. */
export const documentRowColumn = (column: string): RawBuilder<unknown> => sql.ref(`t.${column}`)

/** A list's properties for documents or files. */
export type QueryableListDefinition = {
  name: string
  /** An entry's name in errors; by default `Document`. */
  singular?: string
  table: PolicyTable
  fields: Readonly<Record<string, Pick<DocumentFieldDefinition, 'query' | 'othersOnlyWithin'>>>
  /** Whether the row stores its last edit; otherwise its creation counts. */
  hasUpdatedAt: boolean
  /** The displayed creation time, if not the row's. */
  createdAt?: RawBuilder<unknown>
  /** Set if keys are in creation order and indexed. */
  orderedByKey?: true
  /**
   * Attributes besides `$id` with an index for the whole list; others sort all rows. Omitted if callers read
   * only their few own rows.
   */
  indexedOrders?: readonly string[]
  /** References whose `equal` filter leaves few rows to sort. */
  narrowedBy?: readonly string[]
  /** Leaves out tombstones wherever documents are found. */
  findFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Leaves readable rows out of lists. */
  listFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Leaves readable rows out of cursors, if their order uses unreadable values. */
  cursorFilter?: (me: MemberKeyExpression) => SqlCondition
}

export type DocumentFieldDefinition = {
  /** The row's value; for a related document its key. */
  read?: (me: MemberKeyExpression) => RawBuilder<unknown>
  /** Converts the row's value for display; undefined omits the attribute. */
  show?: (value: unknown, config: Config) => unknown
  relation?: DocumentRelation
  query?: QueryableAttribute
  /**
   * References, one of which a query must also compare with `equal` when filtering this attribute for others
   * than the caller.
   */
  othersOnlyWithin?: readonly string[]
  write: FieldWriteRule
}

export type DocumentRelation = {
  target: CollectionName
  /** The target's inverse relation, omitted there. */
  inverse?: string
  /** A list's children as rows `{ parent, child }`, newest first, at most `most` each. */
  edges?: (me: MemberKeyExpression, parents: readonly number[], most: number) => RawBuilder<RelationEdgeRow>
  /** A list only in the reader's own document. */
  ownOnly?: true
  /** A list's true total, or null if private. */
  total?: (me: MemberKeyExpression) => RawBuilder<number | null>
}

export type RelationEdgeRow = { parent: number; child: number }

/** @throws Failure if the caller cannot read the row */
export type FindRowKeyByPublicId = (db: Kysely<DatabaseTables>, me: number, id: string) => Promise<number>

export type FieldWriteRule =
  /** Set by the server; accepted from old clients and ignored. */
  | { as: 'derived' }
  /** Never in a body. */
  | { as: 'refused' }
  /** Set at creation; repeating it changes nothing. */
  | { as: 'kept' }
  | { as: 'constant'; value: string | boolean }
  | {
      as: 'value'
      column: string
      shape: z.ZodMiniType
      /**
       * The meaning of null, and of absence at creation; without it the attribute is required. Undefined
       * takes the database default for a new row and leaves an existing one.
       */
      blank?: unknown
      /** Only at creation. */
      fixed?: true
    }
  /** The caller, whatever the body says. */
  | { as: 'actor'; column: string; missing?: ErrorType }
  | { as: 'reference'; column: string; find: FindRowKeyByPublicId; nullable?: true; fixed?: true }
  /** A finished upload, which the row then owns. */
  | { as: 'picture'; required: boolean }
  /** A state to enter: writing it always acts. */
  | { as: 'state'; column: string; first: string; entered: readonly string[] }
  /** Two members including the caller. */
  | { as: 'pair'; columns: readonly [string, string] }
  /** A list whose own entry the caller can change; see `UpdateOwnListEntry`. */
  | { as: 'link'; link: UpdateOwnListEntry }

/**
 * @param given ids in the client's list
 * @param shown ids in the current list
 */
export type UpdateOwnListEntry = (
  tx: WriteContext,
  me: AuthenticatedMember,
  row: { key: number; id: string; given: readonly string[]; shown: readonly string[] },
) => Promise<void>

export type DocumentCollection = DocumentDefinition & { name: CollectionName; table: PolicyTable }

/** A collection's documents; contract/collection-names.ts determines name and table. */
export type DocumentDefinition = Omit<QueryableListDefinition, 'name' | 'table'> & {
  fields: Record<string, DocumentFieldDefinition>
  /** The rate limit for creating one. */
  limit: RateLimitClass
  /** A second rate limit, chosen by attributes. */
  extraLimit?: {
    limit: AnyRateLimitClass
    /**
     * Counts around creation.
     * @throws Failure 429, and errors of `create`
     */
    consumeFor<T>(
      ctx: RateLimitContext,
      me: AuthenticatedMember,
      given: Record<string, unknown>,
      create: () => Promise<T>,
    ): Promise<T>
  }
  /** This API cannot update it, so readers have no update permission. */
  neverUpdated?: true
  /** Validates updates before permission: readers may learn what is wrong. */
  validateBeforePermission?: true
  /** A more specific error than `user_unauthorized`. */
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

/** The creation time under another name. */
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

/** Reads a related document's id: text, or a document's `$id`. */
export const readRelatedDocumentId = (given: unknown): string | null => {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '$id')) return null
  const { $id } = given as { $id: unknown }
  return typeof $id === 'string' ? $id : null
}

export const createEnumSchema = (...allowed: [string, ...string[]]) => z.enum(allowed)
