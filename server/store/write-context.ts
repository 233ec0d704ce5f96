/** Defines how code inside a transaction writes rows; store.ts implements it. */
import type { RawBuilder, Selectable, Transaction } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { TableOf } from '../database/table-names.ts'
import type { WriteActor } from './actor.ts'

export type CollectionRow<C extends CollectionName> = Selectable<DatabaseTables[TableOf<C>]>

/** What a member did that changed a row of another collection. */
export type CauseCollection = CollectionName | 'namings'

/** Values by column; an expression is written as SQL. */
export type ColumnValues = Record<string, unknown>

export type WriteContext = {
  /** The transaction, for reads and for tables without a policy. */
  db: Transaction<DatabaseTables>
  /**
   * Creates a row, or returns the one that is there where repeating is no error in the collection.
   * @param values by column; `image_id` is the public id of a finished upload, which the row then owns
   * @throws Failure user_unauthorized; document_already_exists for an id that is taken; storage_file_not_found when the
   * picture is not the actor's, not finished or not free
   */
  insert<C extends CollectionName>(
    actor: WriteActor,
    collection: C,
    values: ColumnValues,
  ): Promise<CollectionRow<C> & { existed: boolean }>
  /**
   * @throws Failure document_not_found when the actor cannot read it, user_unauthorized when the update is not permitted
   */
  update<C extends CollectionName>(
    actor: WriteActor,
    collection: C,
    publicId: string,
    values: ColumnValues,
  ): Promise<CollectionRow<C>>
  remove<C extends CollectionName>(
    actor: WriteActor,
    collection: C,
    publicId: string,
  ): Promise<CollectionRow<C>>
  /**
   * Records that a document changed though its row was written elsewhere: a membership changes a group.
   * @param causedBy the member who did it, where that is not the document's own: it is not told at the moment to whom they are
   * kept from by a block
   * @param by the collection of what that member did; of a post without it a like
   */
  recordChange<C extends CollectionName>(
    collection: C,
    rowKey: number,
    causedBy?: number,
    by?: CauseCollection,
  ): Promise<CollectionRow<C> | undefined>
  /**
   * Records that rows will be gone with the commit, which the database sees to.
   * @param which a condition on `t`, the collection's row
   * @param more.atMost rows to name, the oldest; what they were part of implies the rest
   * @param more.causedBy the key of the member whose doing it is, where that is not to be seen at the moment across a block
   */
  recordDeletions(
    collection: CollectionName,
    which: RawBuilder<unknown>,
    more: { atMost: number; causedBy?: number },
  ): Promise<void>
  /**
   * Records for one member that documents changed to that member alone: the newest hundred of them.
   * @param causedBy as for `recordChange` @param by as for `recordChange`
   */
  recordChangeFor(
    collection: CollectionName,
    rowKeys: readonly number[],
    member: number,
    causedBy?: number,
    by?: CauseCollection,
  ): Promise<void>
  /**
   * Records a change in the statement that writes elsewhere.
   * @param steps its common table expressions; one is `written`, the collection's row, or nothing where nothing changed
   * @param answer what it selects, and from where
   * @param causedBy as for `recordChange`
   */
  recordChangeIn<T>(
    collection: CollectionName,
    steps: RawBuilder<unknown>,
    answer: RawBuilder<T>,
    causedBy?: number,
    by?: CauseCollection,
  ): Promise<T | undefined>
  /**
   * Records for members that they lose access to rows, which stay, or go as part of something larger. Call it before the
   * write that takes the access. Only the newest rows are named, which a screen may be showing; the end of the membership
   * or of the group itself implies the rest.
   * @param which a condition on `t`, the collection's row
   * @param members an array of keys, which may depend on `t`
   * @param named columns of the row that each of these members knows; the other columns are withheld, also whose row it is
   * @param atMost rows to name
   */
  recordAccessLoss(
    collection: CollectionName,
    which: RawBuilder<unknown>,
    members: RawBuilder<unknown>,
    named?: readonly string[],
    atMost?: number,
  ): Promise<void>
  /** Records for the product's sockets of these members what is theirs alone: a request to follow, or a name in a photo. @param members keys */
  recordAccountChange(
    collection: 'followRequests' | 'namings',
    kind: 'create' | 'update' | 'delete',
    row: { id: number; public_id: string },
    members: readonly number[],
  ): Promise<void>
  /**
   * Takes the locks that a write of the row will take, in their order, so that what is read next stays true until the
   * commit. Locks nothing where there is no such row.
   */
  lock(collection: CollectionName, publicId: string): Promise<void>
  /**
   * Changes rows without policy and without recording changes.
   * @param which a condition on `t`, the collection's row
   */
  updateAll(collection: CollectionName, which: RawBuilder<unknown>, values: ColumnValues): Promise<void>
  /**
   * Deletes rows and releases their pictures, without policy and without recording changes.
   * @param which a condition on `t`, the collection's row
   */
  removeAll(collection: CollectionName, which: RawBuilder<unknown>): Promise<void>
}
