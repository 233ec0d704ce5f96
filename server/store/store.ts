/**
 * Writes rows of the collections, for product and dialect alike. Every write is decided by the policy inside its own
 * statement, records its change in the outbox in the same transaction, and is announced only after the commit; a refused
 * write leaves no trace.
 */
import { type Expression, type RawBuilder, sql, type Transaction } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { ErrorType } from '#contract/errors.ts'
import { buildFileChangesStatement } from '../auth/token-and-file-changes.ts'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import {
  type AccessRuleAction,
  columnExpressionsOf,
  memberKeyParameter,
  type PolicyTable,
  selectActionConflictError,
  whereMemberMayWrite,
  whereWithinReach,
} from '../policy.ts'
import { systemActor, type WriteActor } from './actor.ts'
import { type ChangeRow, changeColumns, type LoggedChange, parseChangeLogRow } from './change-log-reader.ts'
import {
  type ChangeAudience,
  type CollectionDefinition,
  collectionDefinitionsByName,
  type PicturePurpose,
} from './collection-definitions.ts'
import { changeMentions, type MentionSource, makeMentions } from './mentions.ts'
import { insertMessagePhotos, readMessagePhotoKeys, type WantedPhoto } from './message-photos.ts'
import {
  insertOtherPhotos,
  type PictureChange,
  pickPictures,
  readOtherPhotoKeys,
  rearrangePhotos,
  selectOtherPhotoKeys,
} from './post-photos.ts'
import type { CauseCollection, CollectionRow, ColumnValues, WriteContext } from './write-context.ts'

export type TransactionalStore = {
  /**
   * Runs `work` in one transaction, again when the database asks for it (40001, 40P01: three times) and once when a lock
   * did not come. `work` therefore holds SQL only: no bytes, no mails.
   */
  transact<T>(work: (tx: WriteContext) => Promise<T>): Promise<T>
  /**
   * `transact` for work of one statement, which is then the whole transaction: one round trip instead of three.
   */
  autocommit<T>(work: (tx: WriteContext) => Promise<T>): Promise<T>
  /** `WriteContext.insert` as a transaction of its own. */
  insert<C extends WithoutEffects>(
    actor: WriteActor,
    collection: C,
    values: ColumnValues,
  ): Promise<CollectionRow<C> & { existed: boolean }>
}

/** Collections whose inserts have no effects. */
type WithoutEffects = 'posts' | 'comments' | 'follows' | 'conversations' | 'messages'

/** Rows deleted by one statement of `removeAll`, so that its work is bounded whatever depends on each row. */
const deleteBatchSize = 500

const retryableCodes = new Set(['40001', '40P01'])
/** PostgreSQL's `lock_not_available`: the statement waited for a row longer than `lock_timeout`. */
const lockTimeoutCode = '55P03'

/** @param notify gets the changes of a commit, after it */
export function createTransactionalStore(
  database: Database,
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
        // A lock is retried once: each try waits two seconds, and no caller is to wait for five.
        if (code === lockTimeoutCode ? attempt > 1 : attempt > 3 || !retryableCodes.has(code)) throw error
      }
    }
  }
  const { kysely } = database
  // A statement outside of a transaction is one of its own.
  const singleStatement = kysely as Transaction<DatabaseTables>
  const autocommit: TransactionalStore['autocommit'] = (work) =>
    runWithRetries((changes) => work(createWriteContext(singleStatement, changes)))
  return {
    transact: (work) =>
      runWithRetries((changes) =>
        kysely.transaction().execute((db) => work(createWriteContext(db, changes))),
      ),
    autocommit,
    insert: (actor, collection, values) => autocommit((tx) => tx.insert(actor, collection, values)),
  }
}

/** SQLSTATEs that `refuse()` raises to roll a statement back. */
const refusalCodes = { forbidden: 'JU401', missing: 'JU404', unclaimed: 'JU405', taken: 'JU409' } as const

/** Stands in a value to be written: rolls back with `document_not_found`. */
export const raiseNotFoundSql: RawBuilder<number> = sql`refuse(${sql.lit(refusalCodes.missing)})`

/** Claims finished uploads for the record about to be written, in one order of locks; a file belongs to one record. */
const claimFiles = (actor: WriteActor, fileIds: readonly string[], purpose: string) => sql`
  update files set state = 'attached', purpose = ${purpose} from (
    select files.id from files where files.public_id = any(${fileIds}::text[]) and files.state = 'ready'
      and ${permitted(actor, 'update', 'files', 'files')} order by files.id for no key update
  ) as free where files.id = free.id
  returning files.id, files.public_id`
/** The first of the claimed files; every one that is wanted must have been free. */
const firstClaimedOrRefuse = ([first, ...others]: readonly WantedPhoto[]) => sql`
  case when (select count(*) from claimed) = ${others.length + 1} then (select id from claimed where public_id = ${first?.id})
    else refuse(${sql.lit(refusalCodes.unclaimed)}) end`
/** Every file that is wanted must have been free; of a row that was there none may be, since its own are its own. */
const refuseUnlessClaimed = ({ length }: readonly WantedPhoto[]) => sql`
  case when written.existed and (select count(*) from claimed) > 0 then refuse(${sql.lit(refusalCodes.taken)})
    when not written.existed and (select count(*) from claimed) < ${length} then refuse(${sql.lit(refusalCodes.unclaimed)})
  end as claims`
const failUnclaimed = (purpose?: PicturePurpose): never =>
  throwFailure('storage_file_not_found', { field: purpose === 'message' ? 'photos' : 'imageId' })

type WriteResult = { permitted: boolean; changes: ChangeRow[] | null; existed: boolean }

function createWriteContext(db: Transaction<DatabaseTables>, changes: LoggedChange[]): WriteContext {
  const run = async <C extends CollectionName>(
    query: RawBuilder<unknown>,
  ): Promise<(CollectionRow<C> & WriteResult) | undefined> => {
    const { rows } = await query.execute(db)
    const row = rows[0] as (CollectionRow<C> & WriteResult) | undefined
    changes.push(...(row?.changes ?? []).map(parseChangeLogRow))
    return row
  }

  /** Locks the parent row first: one lock order everywhere. */
  const lockParent = async (collection: CollectionName, publicId: string, action?: AccessRuleAction) => {
    const { parentLock, parentLockedFor } = collectionDefinitionsByName[collection] as CollectionDefinition
    if (action && parentLockedFor && parentLockedFor !== action) return
    await parentLock?.(publicId).execute(db)
  }

  /** The row as it stands, locked, with what the actor may do to it. */
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
      select t.*, ${isWithinReach(actor, action, table, 't')} as readable, ${permitted(actor, action, table, 't')} as permitted,
        ${selectActionConflictError(action, table, 't')} as conflict
      from ${sql.table(table)} as t where t.public_id = ${publicId} for no key update of t`.execute(db)
    const row = rows[0]
    if (!row?.readable) return throwFailure('document_not_found')
    if (!row.permitted) return throwFailure('user_unauthorized')
    if (row.conflict !== null) return throwFailure(row.conflict)
    return row
  }

  /** @returns keys by public id */
  const attach = async (actor: WriteActor, fileIds: readonly string[], purpose: string) => {
    const { rows } = await sql<{
      id: number
      public_id: string
    }>`${claimFiles(actor, fileIds, purpose)}`.execute(db)
    if (rows.length < fileIds.length) failUnclaimed()
    return new Map(rows.map(({ id, public_id }) => [public_id, id]))
  }

  /** Marks files for deletion; their rows stay until the cleanup has removed the bytes. */
  const release = (fileKeys: readonly unknown[]) =>
    sql`
      with released as (
        update files set state = 'deleting' where id = any(${fileKeys}::bigint[]) and state = 'attached' returning *
      )
      ${buildFileChangesStatement('delete', sql`released`)}`.execute(db)

  const isFile = async (fileKey: unknown, fileId: unknown) => {
    const { rows } = await sql`
      select from files where id = ${fileKey}::bigint and public_id = ${fileId}`.execute(db)
    return rows.length > 0
  }

  /**
   * Attaches the uploads that the values name, and tells which files the row shows no longer.
   * @param before the row, locked
   */
  const changePictures = async (
    actor: WriteActor,
    purpose: PicturePurpose,
    before: { id: number; image_id?: unknown; photo_count?: number },
    values: ColumnValues,
  ): Promise<PictureChange> => {
    if (purpose === 'post') {
      return rearrangePhotos(db, before.id, values, (ids) => attach(actor, ids, purpose))
    }
    if (purpose === 'message') {
      // The photos of an unsent message go with its words; nothing else of them changes.
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
    const others = row.photo_count && row.photo_count > 1 ? await readOtherPhotoKeys(db, row.id) : []
    return [row.image_id, ...others]
  }

  const tx: WriteContext = {
    db,

    async insert(actor, collection, values) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const { table, picture, mentions, refusal = 'user_unauthorized', effects } = definition
      const { wanted, columns } = pickPictures(picture, values)
      const given: ColumnValues = {
        public_id: generateId(),
        ...columns,
        ...filledIn(definition, actor, values),
      }
      const claimed =
        picture &&
        wanted.length > 0 &&
        claimFiles(
          actor,
          wanted.map(({ id }) => id),
          picture,
        )
      const placed = picture === 'message' ? insertMessagePhotos : insertOtherPhotos
      const isPlaced = wanted.length > (picture === 'message' ? 0 : 1)
      if (claimed && picture !== 'message') given.image_id = firstClaimedOrRefuse(wanted)
      const row = await run<typeof collection>(sql`
        with ${claimed ? sql`claimed as (${claimed}), ` : sql``}written as (
          insert into ${sql.table(table)} (${sql.join(Object.keys(given).map((column) => sql.ref(column)))})
          values (${sql.join(Object.values(given).map((value) => sql`${value}`))})
          ${onUniqueConflict(definition)}
          returning *, (xmax <> 0) as existed
        ), ${isPlaced ? sql`placed as (${placed(wanted)}), ` : sql``}recorded as (${recordInOutbox(definition, collection, 'create', actor, sql`written where not written.existed`)}
        ), touched as (${recordTouchedInOutbox(definition, collection, actor)})${namesSomebody(mentions, values) ? makeMentions(mentions) : sql``}
        select written.*, ${refuseUnless(permitted(actor, 'create', table, 'written'))},
          ${claimed && picture === 'message' ? sql`${refuseUnlessClaimed(wanted)},` : sql``}
          (select jsonb_agg(change) from (select * from recorded union all select * from touched) change) as changes
        from written`).catch((error: { code?: string }) => {
        if (error.code === refusalCodes.forbidden) throwFailure(refusal)
        if (error.code === refusalCodes.missing) throwFailure('document_not_found')
        if (error.code === refusalCodes.unclaimed) failUnclaimed(picture)
        if (error.code === refusalCodes.taken) throwFailure('document_already_exists')
        throw error
      })
      if (!row) throw new Error('the insert returned no row')
      if (!row.existed) await effects?.created?.(tx, row as never)
      return row
    },

    async update(actor, collection, publicId, values) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const { table, picture, mentions, refusal = 'user_unauthorized', effects } = definition
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
        ), recorded as (${recordInOutbox(definition, collection, 'update', actor, sql`written`)})${mentions?.columns.some((column) => Object.hasOwn(given, column)) ? changeMentions(mentions) : sql``}
        select written.*, ${permitted(actor, 'updated', table, 'written')} as permitted,
          (select jsonb_agg(recorded) from recorded) as changes from written`)
      if (!row?.permitted) return throwFailure(refusal)
      if (released.length > 0) await release(released)
      await effects?.updated?.(tx, before as never, row as never)
      return row
    },

    async remove(actor, collection, publicId) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const { table, picture, effects } = definition
      const before = await lockRow(actor, collection, publicId, 'delete')
      if (await effects?.keeping?.(tx, before as never, actor)) return before
      await effects?.removing?.(tx, before as never, actor)
      const pictures = picture ? await pictureKeysOf(before) : []
      await run(sql`
        with removed as (
          select t.* from ${sql.table(table)} as t where t.id = ${before.id}
        ), recorded as (${recordInOutbox(definition, collection, 'delete', actor, sql`removed`)}),
        deleted as (delete from ${sql.table(table)} where id = ${before.id} returning id)
        select (select jsonb_agg(recorded) from recorded) as changes from deleted`)
      if (picture) await release(pictures)
      return before
    },

    async recordChange(collection, rowKey, causedBy, by) {
      const { table } = collectionDefinitionsByName[collection]
      return tx.recordChangeIn(
        collection,
        sql`written as (select * from ${sql.table(table)} where id = ${rowKey})`,
        sql<CollectionRow<typeof collection>>`written.* from written`,
        causedBy,
        by,
      )
    },

    async recordChangeIn<T>(
      collection: CollectionName,
      steps: RawBuilder<unknown>,
      answer: RawBuilder<T>,
      causedBy?: number,
      by?: CauseCollection,
    ) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      const row = await run(sql`
        with ${steps}, recorded as (${recordInOutbox(definition, collection, 'update', systemActor, sql`written`, causeOfMember(causedBy, by))})
        select (select jsonb_agg(recorded) from recorded) as changes, ${answer}`)
      return row as T | undefined
    },

    async recordAccessLoss(collection, which, members, named = [], atMost = 100) {
      const { table } = collectionDefinitionsByName[collection]
      const state = sql`(select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t))
        where key = any(${['id', 'public_id', 'created_at', ...named]}::text[])) || ${ownersOf(collectionDefinitionsByName[collection] as CollectionDefinition, 't')}`
      const { rows } = await sql<ChangeRow>`
        insert into changes as c (collection, kind, row_id, public_id, member_ids, state)
        select ${collection}, 'delete', t.id, t.public_id, ${members}, ${state} from ${sql.table(table)} as t
        where ${which} order by t.created_at desc, t.id desc limit ${atMost}
        returning ${changeColumns}`.execute(db)
      changes.push(...rows.map(parseChangeLogRow))
    },

    async recordChangeFor(collection, rowKeys, member, causedBy, by) {
      const { rows } = await sql<ChangeRow>`
        insert into changes as c (collection, kind, row_id, public_id, member_ids, state)
        select ${collection}, 'update', t.id, t.public_id, array[${memberKeyParameter(member)}]::bigint[], ${causeOfMember(causedBy, by)}
        from ${sql.table(collectionDefinitionsByName[collection].table)} as t where t.id = any(${rowKeys}::bigint[])
        order by t.created_at desc, t.id desc limit 100
        returning ${changeColumns}`.execute(db)
      changes.push(...rows.map(parseChangeLogRow))
    },

    async recordDeletions(collection, which, atMost = 100) {
      const definition = collectionDefinitionsByName[collection] as CollectionDefinition
      await run(sql`
        with removed as (
          select t.* from ${sql.table(definition.table)} as t where ${which} order by t.id limit ${atMost}
        ),
        recorded as (${recordInOutbox(definition, collection, 'delete', systemActor, sql`removed`)})
        select (select jsonb_agg(recorded) from recorded) as changes`)
    },

    async recordAccountChange(collection, kind, { id, public_id }, members) {
      const { rows } = await sql<ChangeRow>`
        insert into changes as c (collection, kind, row_id, public_id, account_id)
        select ${collection}, ${kind}, ${id}, ${public_id}, u.account_id from users u
        where u.id = any(${members}::bigint[]) returning ${changeColumns}`.execute(db)
      changes.push(...rows.map(parseChangeLogRow))
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
              select image_id as id from gone${picture === 'post' ? sql` union all ${selectOtherPhotoKeys(sql`gone`)}` : sql``}
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

const filledIn = ({ filled }: CollectionDefinition, actor: WriteActor, values: ColumnValues): ColumnValues =>
  actor === systemActor ? {} : (filled?.(actor, values) ?? {})

const permitted = (actor: WriteActor, action: AccessRuleAction, table: PolicyTable, alias: string) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMemberMayWrite(memberKeyParameter(actor), action, table, alias)

/** Leaves the mentions out of the statement of a text in which nobody can be named. */
const namesSomebody = (
  mentions: MentionSource | undefined,
  values: ColumnValues,
): mentions is MentionSource =>
  mentions?.columns.some((column) => String(values[column]).includes('@')) === true

const isWithinReach = (actor: WriteActor, action: AccessRuleAction, table: PolicyTable, alias: string) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereWithinReach(memberKeyParameter(actor), action, table, alias)

/** Refuses an insert that is not permitted: as taken where the id exists, which does not tell whose it is. */
const refuseUnless = (permitted: RawBuilder<unknown>) => sql`
  case when ${permitted} then 1 when written.existed then refuse(${sql.lit(refusalCodes.taken)})
    else refuse(${sql.lit(refusalCodes.forbidden)}) end as granted`

/** Returns the existing row for a repeated follow or save, also to the loser of a race. */
const onUniqueConflict = ({ uniqueKey }: CollectionDefinition) =>
  uniqueKey
    ? sql`on conflict on constraint ${sql.ref(uniqueKey.constraint)} do update set ${sql.ref(uniqueKey.column)} = excluded.${sql.ref(uniqueKey.column)}`
    : sql``

/** Names in a recorded state whom the row was about, beside its columns. */
const ownersOf = ({ owners }: CollectionDefinition, alias: string) =>
  owners
    ? sql`jsonb_build_object('owner_ids', jsonb_build_array(${sql.join(owners(columnExpressionsOf(alias)))}))`
    : sql`'{}'::jsonb`

/** What is recorded of a row that is gone. */
const remainsOf = (definition: CollectionDefinition, alias: string) =>
  sql`${definition.remains?.(columnExpressionsOf(alias)) ?? sql`to_jsonb(${sql.ref(alias)})`} || ${ownersOf(definition, alias)}`

/** Whose doing an update is, and of what: a member's like of a post without `by`, else a row of another collection. */
const causeOf = (member?: Expression<unknown>, by?: CauseCollection) =>
  member || by
    ? sql`jsonb_strip_nulls(jsonb_build_object('caused_by', ${member ? sql`jsonb_build_array(${member})` : sql`null`}, 'by', ${by ?? null}::text))`
    : sql`null::jsonb`

const causeOfMember = (member?: number, by?: CauseCollection) =>
  causeOf(member === undefined ? undefined : memberKeyParameter(member), by)

/** Writes the outbox row of a change, in the statement of the change. */
function recordInOutbox(
  definition: CollectionDefinition,
  collection: CollectionName,
  kind: 'create' | 'update' | 'delete',
  actor: WriteActor,
  source: RawBuilder<unknown>,
  cause = causeOf(),
): RawBuilder<unknown> {
  const alias = kind === 'delete' ? 'removed' : 'written'
  const state = kind === 'delete' ? remainsOf(definition, 'removed') : cause
  return insertChange(
    collection,
    kind,
    alias,
    definition.audience(columnExpressionsOf(alias), actor),
    state,
    source,
  )
}

/** Writes the outbox row of the row that an insert touches, if any, for those who are told of the insert. */
function recordTouchedInOutbox(
  { touches, audience }: CollectionDefinition,
  touchedBy: CollectionName,
  actor: WriteActor,
): RawBuilder<unknown> {
  if (!touches) return sql`select ${changeColumns} from changes c where false`
  const { collection, key, causedBy } = touches
  const source = sql`written
    join ${sql.table(collectionDefinitionsByName[collection].table)} as touching on touching.id = ${key(columnExpressionsOf('written'))}
    where not written.existed`
  const told = audience(columnExpressionsOf('written'), actor)
  const cause = causedBy && causeOf(causedBy(columnExpressionsOf('written')), touchedBy)
  return insertChange(collection, 'update', 'touching', told, cause ?? causeOf(), source)
}

/** @param alias of the changed row in `source` */
const insertChange = (
  collection: CollectionName,
  kind: 'create' | 'update' | 'delete',
  alias: string,
  { members = sql`null::bigint[]`, group = sql`null::bigint` }: ChangeAudience,
  state: RawBuilder<unknown>,
  source: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into changes as c (collection, kind, row_id, public_id, member_ids, group_id, state)
  select ${collection}, ${kind}, ${sql.ref(alias)}.id, ${sql.ref(alias)}.public_id, ${members}, ${group}, ${state}
  from ${source} returning ${changeColumns}`
