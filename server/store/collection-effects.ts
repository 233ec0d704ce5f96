/** Defines the effects that features add to writes of their collections. The application passes them to the store. */
import type { RawBuilder } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { WriteActor } from './actor.ts'
import type { CollectionRow, StoreTransaction } from './store-transaction.ts'

/** Writes a text's mentions, in the statement that writes the row `written`. */
export type MentionWriter = {
  columns: readonly string[]
  /** Common table expressions for a new row, with a leading comma. */
  insertCte: RawBuilder<unknown>
  /** Common table expressions for a changed row, with a leading comma. */
  updateCte: RawBuilder<unknown>
}

/** Effects of a write. They run in the same transaction, for both APIs. */
type Effects<Row> = {
  mentions?: MentionWriter
  afterCreate?(tx: StoreTransaction, row: Row): Promise<void>
  afterUpdate?(tx: StoreTransaction, before: Row, after: Row, actor: WriteActor): Promise<void>
  beforeRemove?(tx: StoreTransaction, row: Row, actor: WriteActor): Promise<void>
  /** Runs before the deletion and can keep the row. @returns true if the row stays */
  insteadOfRemove?(tx: StoreTransaction, row: Row, actor: WriteActor): Promise<boolean>
}

export type CollectionEffects = { readonly [C in CollectionName]?: Effects<CollectionRow<C>> }
