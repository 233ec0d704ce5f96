/**
 * What an attribute of a document can be: how it is read from its row, what may be asked of it, and what a client may
 * write to it. The nine collections are put together from these (document-people.ts and its neighbours); reading, querying
 * and writing walk the same definitions.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { ErrorType } from '#contract/errors.ts'
import type { LimitClass } from '#contract/operation.ts'
import type { CollectionName } from '../collections.ts'
import type { Config } from '../config.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import type { Counting } from '../features/chat.ts'
import type { AnyLimitClass } from '../limits.ts'
import { asMe, type Guarded, type Me, visible } from '../policy.ts'
import type { Member } from '../session.ts'
import type { Values, Writing } from '../store.ts'
import { toInstant } from '../views.ts'
import type { Listed } from './listing.ts'
import {
  exact,
  moment,
  type Queryable,
  reference as referenceQuery,
  truth,
  words,
} from './query-conditions.ts'

/** A column of the row in question: in every statement of this door its alias is `t`. */
export const t = (column: string): RawBuilder<unknown> => sql.ref(`t.${column}`)

export type Field = {
  /** What the row brings for it; of a single related document its key. */
  read?: (me: Me) => RawBuilder<unknown>
  /** From what the row brought to what is shown; undefined leaves the attribute out. */
  show?: (value: unknown, config: Config) => unknown
  relation?: Relation
  query?: Queryable
  write: Write
}

export type Relation = {
  target: CollectionName
  /** The target's relation that leads back, and is left out there. */
  inverse?: string
  /** Of a list: the children of the parents as rows `{ parent, child }`, newest first, at most `most` each. */
  edges?: (me: Me, parents: readonly number[], most: number) => RawBuilder<Edge>
  /** Of a list that only the reader's own document has. */
  ownOnly?: true
  /** Of a list: how many there truly are, or null where that is not the reader's to know. */
  total?: (me: Me) => RawBuilder<number | null>
}

export type Edge = { parent: number; child: number }

/** Finds the key behind an id. @throws Failure when the one who asks cannot see it */
export type Find = (db: Kysely<Tables>, me: number, id: string) => Promise<number>

export type Write =
  /** The server's own: accepted, because old clients send it, and ignored (reading D-03). */
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
      /** What null and, at creation, absence stand for; without it the attribute is required. */
      blank?: unknown
      /** Given at creation only. */
      fixed?: true
    }
  /** The one who writes, whatever the body says (reading R-13). */
  | { as: 'actor'; column: string; missing?: ErrorType }
  | { as: 'reference'; column: string; find: Find; nullable?: true; fixed?: true }
  /** A finished upload, which the row then owns. */
  | { as: 'picture'; required: boolean }
  /** A state that is entered, never merely repeated: writing it always acts. */
  | { as: 'state'; column: string; first: string; entered: readonly string[] }
  /** Two members, one of them the one who writes. */
  | { as: 'pair'; columns: readonly [string, string] }
  /** A list in which only the writer's own presence can change; see `Link`. */
  | { as: 'link'; link: Link }

/**
 * @param given ids of the list as the client would have it
 * @param shown ids of the list as it stands
 */
export type Link = (
  writing: Writing,
  me: Member,
  row: { key: number; id: string; given: readonly string[]; shown: readonly string[] },
) => Promise<void>

export type DocumentCollection = Listed & {
  name: CollectionName
  fields: Record<string, Field>
  /** How often a member may create one. */
  limit: LimitClass
  /** What creating one may count as besides, which its attributes decide. */
  counted?: {
    limit: AnyLimitClass
    /** @throws Failure 429 */
    count(asking: Counting, me: Member, given: Record<string, unknown>): Promise<void>
  }
  /** Says what is wrong with a change before who may change it: everybody who reads the row is concerned by it. */
  structureFirst?: true
  /** What a refused change is called, where `user_unauthorized` would say too little. */
  refused?: (values: Values) => ErrorType
}

export const derived: Write = { as: 'derived' }

export const text = (
  column: string,
  write: Partial<Extract<Write, { as: 'value' }>> & { shape: z.ZodMiniType },
): Field => ({ read: () => t(column), query: words(t(column)), write: { as: 'value', column, ...write } })

export const constant = (column: string, value: string | boolean): Field => ({
  read: () => t(column),
  query: typeof value === 'boolean' ? truth(t(column)) : exact(t(column)),
  write: { as: 'constant', value },
})

/** The row's creation under another name. */
export const creationTime: Field = {
  read: () => t('created_at'),
  show: (time) => toInstant(time as Date),
  query: moment(t('created_at')),
  write: derived,
}

export const idOf = (table: Guarded, key: RawBuilder<unknown>) =>
  sql`(select related.public_id from ${sql.table(table)} as related where related.id = ${key})`

/** Another document by its id. */
export const reference = (
  column: string,
  table: Guarded,
  write: Omit<Extract<Write, { as: 'reference' }>, 'as' | 'column' | 'find'> & { find?: Find },
): Field => ({
  read: () => idOf(table, t(column)),
  query: referenceQuery(t(column), table),
  write: { as: 'reference', column, find: findIn(table), ...write },
})

/** The id of the one who wrote it. */
export const actor = (column: string): Field => ({
  read: () => idOf('users', t(column)),
  query: referenceQuery(t(column), 'users'),
  write: { as: 'actor', column },
})

export const findIn =
  (table: Guarded, missing: ErrorType = 'document_not_found'): Find =>
  async (db, me, id) => {
    const found = await visible(db, asMe(me), table)
      .select(sql<number>`id`.as('id'))
      .where(sql<boolean>`public_id = ${id}`)
      .executeTakeFirst()
    return found?.id ?? fail(missing)
  }

export const pictureId = (required: boolean): Field => ({
  read: () => idOf('files', t('image_id')),
  query: referenceQuery(t('image_id'), 'files'),
  write: { as: 'picture', required },
})

/** An id in a body: the text itself, or a related document, of which only its id is read (security reference A12). */
export const idIn = (given: unknown): string | null => {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '$id')) return null
  const { $id } = given as { $id: unknown }
  return typeof $id === 'string' ? $id : null
}

export const oneOf = (...allowed: [string, ...string[]]) => z.enum(allowed)
