/**
 * Each write checks the policy in its own statement.
 * The change is recorded in the same transaction and announced only after the commit.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { ErrorType } from '#contract/errors.ts'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { insertMessagePhotos, readMessagePhotoKeys } from '../features/chat/message-photos.ts'
import {
  extractPictureUploads,
  insertPhotosAfterCover,
  type PictureChange,
  readPhotoKeysAfterCover,
  selectPhotoKeysAfterCover,
  updatePostPhotos,
} from '../features/posts/post-photos.ts'
import { claimUploads, releaseFiles } from '../files/stored-files.ts'
import { generateId } from '../ids.ts'
import { type AccessRuleAction, selectActionConflictError } from '../policy/index.ts'
import { systemActor, type WriteActor } from './actor.ts'
import { type ChangeLogRow, type LoggedChange, parseChangeLogRow } from './change-log-reader.ts'
import { createChangeLogWriter, recordInOutbox, recordTouchedRowInOutbox } from './change-log-writer.ts'
import {
  type CollectionDefinition,
  collectionDefinitionsByName,
  type PicturePurpose,
} from './collection-definitions.ts'
import type { CollectionEffects, MentionWriter } from './collection-effects.ts'
import type { CollectionRow, ColumnValues, RequestedPhoto, StoreTransaction } from './store-transaction.ts'
import {
  refusalSqlStates,
  refuseUnlessPermitted,
  whereActorMayAct,
  whereActorMayLearnRowExists,
} from './write-permission.ts'

export type TransactionalStore = {
  /**
   * Repeats `work` up to three times after 40001 and 40P01, and once after a lock timeout.
   * `work` must contain only SQL: no files, no emails.
   */
  transact<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  /** Runs a single statement, which takes one round trip instead of three. */
  autocommit<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>
  insert<C extends WithoutEffects>(
    actor: WriteActor,
    collection: C,
    values: ColumnValues,
  ): Promise<CollectionRow<C> & { existed: boolean }>
}

type WithoutEffects = 'posts' | 'comments' | 'follows' | 'conversations' | 'messages'

/** Many other rows may depend on each deleted row. */
const deleteBatchSize = 500

const retryableCodes = new Set(['40001', '40P01'])
/** PostgreSQL's `lock_not_available`. */
const lockTimeoutCode = '55P03'

/** @param notify receives the changes of a transaction after its commit */
export function createTransactionalStore(
  database: Database,
  effects: CollectionEffects,
  notify: (changes: readonly LoggedChange[]) => void,
): TransactionalStore {
  const runWithRetries = async <T>(work: (changes: LoggedChange[]) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const changes: LoggedChange[] = []
      try {
        const result = await work(changes)
        if (changes.length > 0) notify(changes)
        return result
      } catch (error) {
        const { code = '' } = error as { code?: string }
        // Each attempt waits two seconds for a lock, and no caller should wait for five seconds.
        if (code === lockTimeoutCode ? attempt > 1 : attempt > 3 || !retryableCodes.has(code)) throw error
      }
    }
  }
  const { kysely } = database
  // PostgreSQL runs a statement outside a transaction as a transaction of its own.
  const singleStatement = kysely as Transaction<DatabaseTables>
  const autocommit: TransactionalStore['autocommit'] = (work) =>
    runWithRetries((changes) => work(createStoreTransaction(singleStatement, effects, changes)))
  return {
    transact: (work) =>
      runWithRetries((changes) =>
        kysely.transaction().execute((db) => work(createStoreTransaction(db, effects, changes))),
      ),
    autocommit,
    insert: (actor, collection, values) => autocommit((tx) => tx.insert(actor, collection, values)),
  }
}

type WriteResult = { permitted: boolean; changes: ChangeLogRow[] | null; existed: boolean }

function createStoreTransaction(
  db: Transaction<DatabaseTables>,
  effectsByCollection: CollectionEffects,
  changes: LoggedChange[],
): StoreTransaction {
  const run = async <C extends CollectionName>(
    query: RawBuilder<unknown>,
  ): Promise<(CollectionRow<C> & WriteResult) | undefined> => {
    const { rows } = await query.execute(db)
    const row = rows[0] as (CollectionRow<C> & WriteResult) | undefined
    changes.push(...(row?.changes ?? []).map(parseChangeLogRow))
    return row
  }

  const lockParent = async (collection: CollectionName, publicId: string, action?: AccessRuleAction) => {
    const { parentLock, parentLockedFor } = collectionDefinitionsByName[collection] as CollectionDefinition
    if (action && parentLockedFor && parentLockedFor !== action) return
    await parentLock?.(publicId).execute(db)
  }

  const lockRow = async <C extends CollectionName>(
    actor: WriteActor,
    collection: C,
    publicId: string,
    action: AccessRuleAction,
  ) => {
    const { table } = collectionDefinitionsByName[collection]
    await lockParent(collection, publicId, action)
    const { rows } = await sql<
      CollectionRow<C> & { id: number; readable: boolean; permitted: boolean; conflict: ErrorType | null }
    >`
      select t.*, ${whereActorMayLearnRowExists(actor, action, table, 't')} as readable, ${whereActorMayAct(actor, action, table, 't')} as permitted,
        ${selectActionConflictError(action, table, 't')} as conflict
      from ${sql.table(table)} as t where t.public_id = ${publicId} for no key update of t`.execute(db)
    const row = rows[0]
    if (!row?.readable) return throwFailure('document_not_found')
    if (!row.permitted) return throwFailure('user_unauthorized')
    if (row.conflict !== null) return throwFailure(row.conflict)
    return row
  }

  const attach = async (actor: WriteActor, fileIds: readonly string[], purpose: PicturePurpose) => {
    const { rows } = await sql<{
      id: number
      public_id: string
    }>`${claimUploads(mayClaim(actor), fileIds, purpose)}`.execute(db)
    if (rows.length < fileIds.length) throwFilesNotClaimed()
    return new Map(rows.map(({ id, public_id }) => [public_id, id]))
  }

  const isFile = async (fileKey: unknown, fileId: unknown) => {
    const { rows } = await sql`
      select from files where id = ${fileKey}::bigint and public_id = ${fileId}`.execute(db)
    return rows.length > 0
  }

  /**
   * Claims the uploads that the values name, and returns the files that the row no longer shows.
   * @param before the row, which must be locked
   */
  const changePictures = async (
    actor: WriteActor,
    purpose: PicturePurpose,
    before: { id: number; image_id?: unknown; photo_count?: number },
    values: ColumnValues,
  ): Promise<PictureChange> => {
    if (purpose === 'post') {
      return updatePostPhotos(db, before.id, values, (ids) => attach(actor, ids, purpose))
    }
    if (purpose === 'message') {
      // Unsending a message removes its photos with its text.
      const isUnsent = values.unsent_at !== undefined && before.photo_count
      return { columns: values, released: isUnsent ? await readMessagePhotoKeys(db, before.id) : [] }
    }
    const { image_id, ...columns } = values
    if (image_id === undefined) return { columns, released: [] }
    if (typeof image_id === 'string' && (await isFile(before.image_id, image_id)))
      return { columns, released: [] }
    const attached =
      typeof image_id === 'string' ? (await attach(actor, [image_id], purpose)).get(image_id) : image_id
    return {
      columns: { ...columns, image_id: attached },
      released: before.image_id == null ? [] : [before.image_id],
    }
  }

  const pictureKeysOf = async (row: {
    id: number
    image_id?: unknown
    photo_count?: number
  }): Promise<unknown[]> => {
    const others = row.photo_count && row.photo_count > 1 ? await readPhotoKeysAfterCover(db, row.id) : []
    return [row.image_id, ...others]
  }

  const tx: StoreTransaction = {
    db,
    ...createChangeLogWriter(db, changes),

    async insert(actor, collection, values) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const { table, picture, touches, refusal = 'user_unauthorized' } = definition
      const effects = effectsByCollection[collection]
      const mentions = effects?.mentions
      const { wanted, columns } = extractPictureUploads(picture, values)
      const given: ColumnValues = {
        public_id: generateId(),
        ...columns,
        ...filledIn(definition, actor, values),
      }
      const claimed =
        picture &&
        wanted.length > 0 &&
        claimUploads(
          mayClaim(actor),
          wanted.map(({ id }) => id),
          picture,
        )
      const placed = picture === 'message' ? insertMessagePhotos : insertPhotosAfterCover
      const isPlaced = wanted.length > (picture === 'message' ? 0 : 1)
      if (claimed && picture !== 'message') given.image_id = firstClaimedFileOrRollback(wanted)
      const row = await run<typeof collection>(sql`
        with ${claimed ? sql`claimed as (${claimed}), ` : sql``}written as (
          insert into ${sql.table(table)} as t (${sql.join(Object.keys(given).map((column) => sql.ref(column)))})
          values (${sql.join(Object.values(given).map((value) => sql`${value}`))})
          ${uniqueConflictClause(definition)}
          returning *, ${wasThereBefore(definition, actor)} as existed
        ), ${isPlaced ? sql`placed as (${placed(wanted)}), ` : sql``}recorded as (${recordInOutbox(definition, collection, 'create', actor, sql`written where not written.existed`)}
        )${touches ? sql`, touched as (${recordTouchedRowInOutbox(touches, collection)})` : sql``}${namesSomebody(mentions, values) ? mentions.insertCte : sql``}
        select written.*, ${refuseUnlessPermitted(whereActorMayAct(actor, 'create', table, 'written', absentReferences(definition, given)))},
          ${claimed && picture === 'message' ? sql`${rollBackUnlessAllFilesClaimed(wanted)},` : sql``}
          (select jsonb_agg(change) from (select * from recorded${touches ? sql` union all select * from touched` : sql``}) change) as changes
        from written`).catch((error: { code?: string }) => {
        if (error.code === refusalSqlStates.forbidden) throwFailure(refusal)
        if (error.code === refusalSqlStates.missing) throwFailure('document_not_found')
        if (error.code === refusalSqlStates.unclaimed) throwFilesNotClaimed(picture)
        if (error.code === refusalSqlStates.taken) throwFailure('document_already_exists')
        throw error
      })
      if (!row) throw new Error('the insert returned no row')
      if (!row.existed) await effects?.afterCreate?.(tx, row as never)
      return row
    },

    async update(actor, collection, publicId, values) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const { table, picture, refusal = 'user_unauthorized' } = definition
      const effects = effectsByCollection[collection]
      const mentions = effects?.mentions
      const before = await lockRow(actor, collection, publicId, 'update')
      const { columns, released } = picture
        ? await changePictures(actor, picture, before, values)
        : { columns: values, released: [] }
      const given = { ...columns, ...filledIn(definition, actor, values) }
      if (Object.keys(given).length === 0) return before
      const row = await run<typeof collection>(sql`
        with written as (
          update ${sql.table(table)}
          set ${sql.join(Object.entries(given).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
          where id = ${before.id} returning *
        ), recorded as (${recordInOutbox(definition, collection, 'update', actor, sql`written`)})${mentions?.columns.some((column) => Object.hasOwn(given, column)) ? mentions.updateCte : sql``}
        select written.*, ${whereActorMayAct(actor, 'updated', table, 'written')} as permitted,
          (select jsonb_agg(recorded) from recorded) as changes from written`)
      if (!row?.permitted) return throwFailure(refusal)
      if (released.length > 0) await releaseFiles(db, released)
      await effects?.afterUpdate?.(tx, before as never, row as never, actor)
      return row
    },

    async remove(actor, collection, publicId) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const { table, picture } = definition
      const effects = effectsByCollection[collection]
      const before = await lockRow(actor, collection, publicId, 'delete')
      if (await effects?.insteadOfRemove?.(tx, before as never, actor)) return before
      await effects?.beforeRemove?.(tx, before as never, actor)
      const pictures = picture ? await pictureKeysOf(before) : []
      await run(sql`
        with removed as (
          select t.* from ${sql.table(table)} as t where t.id = ${before.id}
        ), recorded as (${recordInOutbox(definition, collection, 'delete', actor, sql`removed`)}),
        deleted as (delete from ${sql.table(table)} where id = ${before.id} returning id)
        select (select jsonb_agg(recorded) from recorded) as changes from deleted`)
      if (picture) await releaseFiles(db, pictures)
      return before
    },

    async lock(collection, publicId) {
      await lockParent(collection, publicId)
      await sql`
        select from ${sql.table(collectionDefinitionsByName[collection].table)} as t
        where t.public_id = ${publicId} for no key update of t`.execute(db)
    },

    async updateAll(collection, which, values) {
      await sql`
        update ${sql.table(collectionDefinitionsByName[collection].table)} as t
        set ${sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
        where ${which}`.execute(db)
    },

    async removeAll(collection, which) {
      const { table, picture } = collectionDefinitionsByName[collection] as CollectionDefinition
      const released = picture
        ? sql`, released as (
            update files set state = 'deleting' from (
              select image_id as id from gone${picture === 'post' ? sql` union all ${selectPhotoKeysAfterCover(sql`gone`)}` : sql``}
            ) shown where files.id = shown.id and files.state = 'attached'
          )`
        : sql``
      for (let removed = deleteBatchSize; removed === deleteBatchSize; ) {
        const { rows } = await sql<{ count: number }>`
          with gone as (
            delete from ${sql.table(table)} where id in (
              select t.id from ${sql.table(table)} as t where ${which} limit ${deleteBatchSize}
            ) returning *
          )${released}
          select count(*) from gone`.execute(db)
        removed = rows[0]?.count ?? 0
      }
    },
  }
  return tx
}

const mayClaim = (actor: WriteActor) => whereActorMayAct(actor, 'update', 'files', 'files')

/** Rolls back if a requested file does not exist or is in use. */
const firstClaimedFileOrRollback = ([first, ...others]: readonly RequestedPhoto[]) => sql`
  case when (select count(*) from claimed) = ${others.length + 1} then (select id from claimed where public_id = ${first?.id})
    else refuse(${sql.lit(refusalSqlStates.unclaimed)}) end`

/** If the row already existed, the files already belong to it, so none may be claimed. */
const rollBackUnlessAllFilesClaimed = ({ length }: readonly RequestedPhoto[]) => sql`
  case when written.existed and (select count(*) from claimed) > 0 then refuse(${sql.lit(refusalSqlStates.taken)})
    when not written.existed and (select count(*) from claimed) < ${length} then refuse(${sql.lit(refusalSqlStates.unclaimed)})
  end as claims`

const throwFilesNotClaimed = (purpose?: PicturePurpose): never =>
  throwFailure('storage_file_not_found', { field: purpose === 'message' ? 'photos' : 'imageId' })

const filledIn = ({ filled }: CollectionDefinition, actor: WriteActor, values: ColumnValues): ColumnValues =>
  actor === systemActor ? {} : (filled?.(actor, values) ?? {})

/**
 * Returns the references that the values omit. An existing row that has one of them is refused as a different
 * row.
 */
const absentReferences = ({ references = [] }: CollectionDefinition, given: ColumnValues): string[] =>
  references.filter((column) => (given[column] ?? null) === null)

const namesSomebody = (
  mentions: MentionWriter | undefined,
  values: ColumnValues,
): mentions is MentionWriter =>
  mentions?.columns.some((column) => String(values[column]).includes('@')) === true

/** A repeated follow or save returns the existing row, even if two requests race. */
const uniqueConflictClause = ({ uniqueKey, repeated }: CollectionDefinition) =>
  uniqueKey
    ? sql`on conflict on constraint ${sql.ref(uniqueKey.constraint)} do update set ${sql.ref(uniqueKey.column)} = excluded.${sql.ref(uniqueKey.column)}${repeated ? sql`, ${repeated}` : sql``}`
    : sql``

/** The lookup sees the state from before the statement. */
const wasThereBefore = ({ table, wasThere }: CollectionDefinition, actor: WriteActor) =>
  wasThere && actor !== systemActor
    ? sql`(xmax <> 0 and exists (select from ${sql.table(table)} as before where before.id = t.id and ${wasThere(actor, 'before')}))`
    : sql`(xmax <> 0)`
