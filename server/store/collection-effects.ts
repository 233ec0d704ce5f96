import type { RawBuilder } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { WriteActor } from './actor.ts'
import type { CollectionRow, StoreTransaction } from './store-transaction.ts'

/** Writes a text's mentions, in the statement that writes the row `written`. */
export type MentionWriter = {
  columns: readonly string[]
  /** This part writes the mentions of a new row. It starts with a comma. */
  insertCte: RawBuilder<unknown>
  /** This part writes the mentions of a changed row. It starts with a comma. */
  updateCte: RawBuilder<unknown>
}

/** Effects run in the write's transaction, for both APIs. */
type Effects<Row> = {
  mentions?: MentionWriter
  afterCreate?(tx: StoreTransaction, row: Row): Promise<void>
  afterUpdate?(tx: StoreTransaction, before: Row, after: Row, actor: WriteActor): Promise<void>
  beforeRemove?(tx: StoreTransaction, row: Row, actor: WriteActor): Promise<void>
  /** @returns true if the row stays */
  insteadOfRemove?(tx: StoreTransaction, row: Row, actor: WriteActor): Promise<boolean>
}

export type CollectionEffects = { readonly [C in CollectionName]?: Effects<CollectionRow<C>> }
