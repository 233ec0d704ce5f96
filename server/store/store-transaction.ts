import type { RawBuilder, Selectable, Transaction } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { TableOf } from '../database/table-names.ts'
import type { WriteActor } from './actor.ts'

export type CollectionRow<C extends CollectionName> = Selectable<DatabaseTables[TableOf<C>]>

/** The collection of a member's action that changes a row of another collection. */
export type CauseCollection = CollectionName | 'namings'

/** Values by column. An expression is written as SQL. */
export type ColumnValues = Record<string, unknown>

/** If the description is undefined, the stored one stays. */
export type RequestedPhoto = { id: string; alt: string | undefined }

export type StoreTransaction = {
  /** Use this for reads and for tables without a policy. */
  db: Transaction<DatabaseTables>
  /**
   * Inserts a row. If the collection allows repeated inserts and the row exists, returns that row.
   * @param values by column; `image_id` is the public id of a finished upload, which the row then owns
   * @throws Failure user_unauthorized; document_already_exists for a taken id; storage_file_not_found unless
   * the picture belongs to the actor, is finished and is not in use
   */
  insert<C extends CollectionName>(
    actor: WriteActor,
    collection: C,
    values: ColumnValues,
  ): Promise<CollectionRow<C> & { existed: boolean }>
  /**
   * @throws Failure document_not_found if the actor cannot read the row, user_unauthorized if the update is
   * not permitted
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
   * For a document whose row was written elsewhere: a membership changes a group.
   * @param causedBy a member, unless the document is their own; members blocked from them do not receive the
   * change immediately
   * @param by the collection of the member's action; without it, the action is a like of a post
   */
  recordChange<C extends CollectionName>(
    collection: C,
    rowKey: number,
    causedBy?: number,
    by?: CauseCollection,
  ): Promise<CollectionRow<C> | undefined>
  /**
   * Records deletions of rows that the database will delete with the commit.
   * @param which a condition on `t`, the collection's row
   * @param more.atMost how many rows to name, oldest first; the deletion of their parent implies the rest
   * @param more.causedBy a member; members blocked from them do not receive the deletion immediately
   */
  recordDeletions(
    collection: CollectionName,
    which: RawBuilder<unknown>,
    more: { atMost: number; causedBy?: number },
  ): Promise<void>
  /** Records the newest hundred. If there are more, the member's clients load everything again. */
  recordChangeFor(
    collection: CollectionName,
    rowKeys: readonly number[],
    member: number,
    causedBy?: number,
    by?: CauseCollection,
  ): Promise<void>
  /**
   * @param steps the statement's common table expressions; `written` selects the collection's row, or no row
   * if nothing changed
   * @param answer what the statement selects, and from where
   */
  recordChangeIn<T>(
    collection: CollectionName,
    steps: RawBuilder<unknown>,
    answer: RawBuilder<T>,
    causedBy?: number,
    by?: CauseCollection,
  ): Promise<T | undefined>
  /** @param statement compiled once from `buildChangeStatement` */
  recordWith<Values extends Record<string, unknown>, T>(
    statement: (db: Transaction<DatabaseTables>, values: Values) => Promise<T[]>,
    values: Values,
  ): Promise<T | undefined>
  /**
   * Must run before the write that removes the access. Names only the newest rows. If there are more, one
   * more change closes the members' sockets and makes their clients load everything again; if everyone loses
   * access, clients receive the author's or group's change instead.
   * @param which a condition on `t`, the collection's row
   * @param members an array of keys, which may depend on `t`
   * @param named columns of the row that each of these members knows; all others are withheld, including the
   * owner
   * @param more.losers needed if `members` depends on `t`: everyone who loses access to a row
   */
  recordAccessLoss(
    collection: CollectionName,
    which: RawBuilder<unknown>,
    members: RawBuilder<unknown>,
    named?: readonly string[],
    more?: { atMost?: number; losers?: RawBuilder<unknown> },
  ): Promise<void>
  /**
   * Only these members' product sockets receive the change.
   * @param members keys
   */
  recordAccountChange(
    collection: 'followRequests' | 'namings',
    kind: 'create' | 'update' | 'delete',
    row: { id: number; public_id: string },
    members: readonly number[],
  ): Promise<void>
  /**
   * Takes the locks of a later write in the same order, so that values read here stay valid until the commit.
   */
  lock(collection: CollectionName, publicId: string): Promise<void>
  /**
   * Ignores the policy and records no changes.
   * @param which a condition on `t`, the collection's row
   */
  updateAll(collection: CollectionName, which: RawBuilder<unknown>, values: ColumnValues): Promise<void>
  /**
   * Ignores the policy, records no changes, and releases the rows' pictures.
   * @param which a condition on `t`, the collection's row
   */
  removeAll(collection: CollectionName, which: RawBuilder<unknown>): Promise<void>
}
