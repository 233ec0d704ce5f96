/**
 * Defines the types of a document's attributes: how one is read from its row, queried, and written by a client. The
 * document collections are composed of these (people-collections.ts and its neighbours); reading, querying and writing walk
 * the same definitions.
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

/** References a column of the row: in every statement over documents its alias is `t`. */
export const documentRowColumn = (column: string): RawBuilder<unknown> => sql.ref(`t.${column}`)

/** What a list needs to know of the documents, or files, in it. */
export type QueryableListDefinition = {
  name: string
  /** What error messages call an entry; `Document` by default. */
  singular?: string
  table: PolicyTable
  fields: Readonly<Record<string, Pick<DocumentFieldDefinition, 'query' | 'othersOnlyWithin'>>>
  /** Whether the row keeps when it was last edited; else that is its creation. */
  hasUpdatedAt: boolean
  /** The time that is shown as that of its creation, where that is not the row's. */
  createdAt?: RawBuilder<unknown>
  /** Where the keys are in the order of creation and have the index. */
  orderedByKey?: true
  /**
   * Attributes besides `$id` by which an index orders the whole list. By others every row is read and sorted. Absent where the caller
   * reads none but their own rows, which are few.
   */
  indexedOrders?: readonly string[]
  /** References that, compared with `equal`, leave rows that are few to sort. */
  narrowedBy?: readonly string[]
  /** Leaves out what is left of rows that are none any more, wherever a document is looked for. */
  findFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Leaves readable rows out of lists. */
  listFilter?: (me: MemberKeyExpression) => SqlCondition
  /** Leaves readable rows out of cursors, where an order is by what the caller may not read of them. */
  cursorFilter?: (me: MemberKeyExpression) => SqlCondition
}

export type DocumentFieldDefinition = {
  /** What the row brings for it; of a single related document its key. */
  read?: (me: MemberKeyExpression) => RawBuilder<unknown>
  /** From what the row brought to what is shown; undefined leaves the attribute out. */
  show?: (value: unknown, config: Config) => unknown
  relation?: DocumentRelation
  query?: QueryableAttribute
  /** References of which a query compares one with `equal`, too, where it asks this attribute for anybody but the caller. */
  othersOnlyWithin?: readonly string[]
  write: FieldWriteRule
}

export type DocumentRelation = {
  target: CollectionName
  /** The target's relation that leads back, and is left out there. */
  inverse?: string
  /** Of a list: the children of the parents as rows `{ parent, child }`, newest first, at most `most` each. */
  edges?: (me: MemberKeyExpression, parents: readonly number[], most: number) => RawBuilder<RelationEdgeRow>
  /** Of a list that only the reader's own document has. */
  ownOnly?: true
  /** Of a list: how many there truly are, or null where that is not the reader's to know. */
  total?: (me: MemberKeyExpression) => RawBuilder<number | null>
}

export type RelationEdgeRow = { parent: number; child: number }

/** Finds the key of a public id. @throws Failure when the caller cannot read the row */
export type FindRowKeyByPublicId = (db: Kysely<DatabaseTables>, me: number, id: string) => Promise<number>

export type FieldWriteRule =
  /** The server's own: accepted, because old clients send it, and ignored. */
  | { as: 'derived' }
  /** Never part of a body. */
  | { as: 'refused' }
  /** Set once by whatever made the row; repeating it is no change. */
  | { as: 'kept' }
  | { as: 'constant'; value: string | boolean }
  | {
      as: 'value'
      column: string
      shape: z.ZodMiniType
      /**
       * What null and, at creation, absence stand for; without it the attribute is required. Undefined is what the database chooses for
       * a new row, and no change of one that is there.
       */
      blank?: unknown
      /** Given at creation only. */
      fixed?: true
    }
  /** The caller, whatever the body says. */
  | { as: 'actor'; column: string; missing?: ErrorType }
  | { as: 'reference'; column: string; find: FindRowKeyByPublicId; nullable?: true; fixed?: true }
  /** A finished upload, which the row then owns. */
  | { as: 'picture'; required: boolean }
  /** A state that is entered, never merely repeated: writing it always acts. */
  | { as: 'state'; column: string; first: string; entered: readonly string[] }
  /** Two members, one of them the caller. */
  | { as: 'pair'; columns: readonly [string, string] }
  /** A list in which only the caller's own entry can change; see `UpdateOwnListEntry`. */
  | { as: 'link'; link: UpdateOwnListEntry }

/**
 * @param given ids of the list as the client would have it
 * @param shown ids of the list as it stands
 */
export type UpdateOwnListEntry = (
  tx: WriteContext,
  me: AuthenticatedMember,
  row: { key: number; id: string; given: readonly string[]; shown: readonly string[] },
) => Promise<void>

export type DocumentCollection = DocumentDefinition & { name: CollectionName; table: PolicyTable }

/** A collection's documents; its name and its table follow from where it stands in contract/collection-names.ts. */
export type DocumentDefinition = Omit<QueryableListDefinition, 'name' | 'table'> & {
  fields: Record<string, DocumentFieldDefinition>
  /** The rate limit that creating one counts against. */
  limit: RateLimitClass
  /** A second rate limit of creating one, which its attributes decide. */
  extraLimit?: {
    limit: AnyRateLimitClass
    /**
     * Counts around what creates it.
     * @throws Failure 429, and what `create` throws
     */
    consumeFor<T>(
      ctx: RateLimitContext,
      me: AuthenticatedMember,
      given: Record<string, unknown>,
      create: () => Promise<T>,
    ): Promise<T>
  }
  /** Nobody changes a document by this door, so that no permission of a reader's says so. */
  neverUpdated?: true
  /** Validates an update before checking permission: whoever reads the row may learn what is wrong with it. */
  validateBeforePermission?: true
  /** The error of a refused update, where `user_unauthorized` would say too little. */
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

/** The row's creation time under another name. */
export const createdAtFieldDefinition: DocumentFieldDefinition = {
  read: () => documentRowColumn('created_at'),
  show: (time) => formatIsoTimestamp(time as Date),
  query: createQueryableTimestamp(documentRowColumn('created_at')),
  write: serverDerivedWriteRule,
}

export const publicIdSubquery = (table: PolicyTable, key: RawBuilder<unknown>) =>
  sql`(select related.public_id from ${sql.table(table)} as related where related.id = ${key})`

/** Refers to another document by its id. */
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

/** The id of the member who created the row. */
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

/** Reads the id of a related document from a body: the text itself, or the `$id` of a document. */
export const readRelatedDocumentId = (given: unknown): string | null => {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '$id')) return null
  const { $id } = given as { $id: unknown }
  return typeof $id === 'string' ? $id : null
}

export const createEnumSchema = (...allowed: [string, ...string[]]) => z.enum(allowed)
