/**
 * The one way rows of the nine collections are written, whichever door asked (architecture §4). Every write is decided by
 * the policy inside its own statement, records who may hear of it in the same transaction, and is told only after the
 * commit; a refused write leaves no trace.
 */
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import { type Actor, theServer } from './actor.ts'
import { type Collection, type CollectionName, collections, type TableOf } from './collections.ts'
import type { Database } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { newId } from './ids.ts'
import { type Change, type ChangeRow, changeColumns, toChange } from './live-changes.ts'
import { type Action, asMe, columnsOf, type Guarded, permits } from './policy.ts'

export { type Actor, theServer }

export type RowOf<C extends CollectionName> = Selectable<Tables[TableOf<C>]>

/** Values by column; an expression is written as SQL. */
export type Values = Record<string, unknown>

export type Store = {
  /**
   * Runs `work` in one transaction, again when the database asks for it (40001, 40P01: three times) and once when a lock
   * did not come. `work` therefore holds SQL only: no bytes, no mails.
   */
  transact<T>(work: (writing: Writing) => Promise<T>): Promise<T>
  /** `transact` for work of one statement, which is then the whole transaction: one turn of the database instead of three. */
  once<T>(work: (writing: Writing) => Promise<T>): Promise<T>
  /** `Writing.insert` once. */
  insert<C extends Lone>(
    actor: Actor,
    collection: C,
    values: Values,
  ): Promise<RowOf<C> & { existed: boolean }>
}

/** Collections whose new rows bring nothing with them. */
type Lone = 'posts' | 'follows' | 'conversations' | 'messages'

export type Writing = {
  /** The transaction, for reads and for tables without a policy. */
  db: Transaction<Tables>
  /**
   * Creates a row, or returns the one that is there where repeating is no error in the collection.
   * @param values by column; `image_id` is the public id of a finished upload, which the row then owns
   * @throws Failure user_unauthorized; document_already_exists for an id that is taken; storage_file_not_found when the
   * picture is not hers, not finished or not free
   */
  insert<C extends CollectionName>(
    actor: Actor,
    collection: C,
    values: Values,
  ): Promise<RowOf<C> & { existed: boolean }>
  /** @throws Failure document_not_found when she cannot read it, user_unauthorized when she may not change it so */
  update<C extends CollectionName>(
    actor: Actor,
    collection: C,
    publicId: string,
    values: Values,
  ): Promise<RowOf<C>>
  remove<C extends CollectionName>(actor: Actor, collection: C, publicId: string): Promise<RowOf<C>>
  /** Records that a document changed though its row was written elsewhere: a like changes a post. */
  tell<C extends CollectionName>(collection: C, rowKey: number): Promise<RowOf<C> | undefined>
  /**
   * `tell` by the statement that writes elsewhere.
   * @param steps its common table expressions; one is `written`, the collection's row, or nothing where nothing changed
   * @param answer what it selects, and from where
   */
  tellWithin<T>(
    collection: CollectionName,
    steps: RawBuilder<unknown>,
    answer: RawBuilder<T>,
  ): Promise<T | undefined>
  /**
   * Tells members that rows leave their sight: the rows stay, or go as part of something larger (architecture §14.5).
   * Call it before the write that takes the sight away. Only the newest are named: that is what a screen may be showing,
   * and the rest is told by the end of the membership or of the group itself.
   * @param which a condition on `t`, the collection's row
   * @param members an array of keys, which may depend on `t`
   * @param atMost rows to name
   */
  tellLosers(
    collection: CollectionName,
    which: RawBuilder<unknown>,
    members: RawBuilder<unknown>,
    atMost?: number,
  ): Promise<void>
  /**
   * Takes the locks that a write of the row will take, in their order, so that what is read next stays true until the
   * commit. Locks nothing where there is no such row.
   */
  lock(collection: CollectionName, publicId: string): Promise<void>
  /**
   * Removes rows with what they belong to, and releases their pictures; nobody is asked and nobody is told.
   * @param which a condition on `t`, the collection's row
   */
  removeAll(collection: CollectionName, which: RawBuilder<unknown>): Promise<void>
}

/** Rows a statement of `removeAll` takes: a bounded piece of work whatever hangs on each of them. */
const removedAtOnce = 500

const retried = new Set(['40001', '40P01'])
/** She stood behind others in front of one row, and the database sent her away (`lock_timeout`). */
const waitedForLock = '55P03'

/** @param wake told the changes of a commit, after it */
export function createStore(database: Database, wake: (changes: readonly Change[]) => void): Store {
  const again = async <T>(work: (changes: Change[]) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const changes: Change[] = []
      try {
        const result = await work(changes)
        if (changes.length > 0) wake(changes)
        return result
      } catch (error) {
        const { code = '' } = error as { code?: string }
        // Once more for a lock, which is two seconds again: nobody is to wait for five.
        if (code === waitedForLock ? attempt > 1 : attempt > 3 || !retried.has(code)) throw error
      }
    }
  }
  const { kysely } = database
  // A statement outside of any is a transaction of its own.
  const alone = kysely as Transaction<Tables>
  const once: Store['once'] = (work) => again((changes) => work(writingOn(alone, changes)))
  return {
    transact: (work) =>
      again((changes) => kysely.transaction().execute((db) => work(writingOn(db, changes)))),
    once,
    insert: (actor, collection, values) => once((writing) => writing.insert(actor, collection, values)),
  }
}

/** What a statement raises to take itself back. */
const refusals = { forbidden: 'JU401', missing: 'JU404', unclaimed: 'JU405', taken: 'JU409' } as const

/** In a value to be written: no row, and `document_not_found`. */
export const missing: RawBuilder<number> = sql`refuse(${sql.lit(refusals.missing)})`

/** Claims a finished upload for the record about to be written; a file belongs to one record. */
const claim = (actor: Actor, fileId: string, purpose: string) => sql`
  update files set state = 'attached', purpose = ${purpose}
  where public_id = ${fileId} and state = 'ready' and ${asked(actor, 'update', 'files', 'files')}
  returning id`
const claimedOrRefuse = sql`coalesce((select id from claimed), refuse(${sql.lit(refusals.unclaimed)}))`
const unclaimed = (): never => fail('storage_file_not_found', { field: 'imageId' })

type Written = { permitted: boolean; changes: ChangeRow[] | null; existed: boolean }

function writingOn(db: Transaction<Tables>, changes: Change[]): Writing {
  const run = async <C extends CollectionName>(
    query: RawBuilder<unknown>,
  ): Promise<(RowOf<C> & Written) | undefined> => {
    const { rows } = await query.execute(db)
    const row = rows[0] as (RowOf<C> & Written) | undefined
    changes.push(...(row?.changes ?? []).map(toChange))
    return row
  }

  /** Rows above this one come first in the one lock order (architecture §14.7). */
  const lockAbove = async (collection: CollectionName, publicId: string) => {
    await (collections[collection] as Collection).above?.(publicId).execute(db)
  }

  /** The row as it stands, locked, with what the actor may do to it. */
  const lockRow = async <C extends CollectionName>(
    actor: Actor,
    collection: C,
    publicId: string,
    action: Action,
  ) => {
    const { table } = collections[collection]
    await lockAbove(collection, publicId)
    const { rows } = await sql<RowOf<C> & { id: number; readable: boolean; permitted: boolean }>`
      select t.*, ${asked(actor, 'read', table, 't')} as readable, ${asked(actor, action, table, 't')} as permitted
      from ${sql.table(table)} as t where t.public_id = ${publicId} for no key update of t`.execute(db)
    const row = rows[0]
    if (!row?.readable) return fail('document_not_found')
    if (!row.permitted) return fail('user_unauthorized')
    return row
  }

  const attach = async (actor: Actor, fileId: string, purpose: string): Promise<number> => {
    const { rows } = await sql<{ id: number }>`${claim(actor, fileId, purpose)}`.execute(db)
    return rows[0]?.id ?? unclaimed()
  }

  /** The file keeps its row until the sweep has removed its bytes (architecture §14.9). */
  const release = (fileKey: unknown) =>
    sql`update files set state = 'deleting' where id = ${fileKey}::bigint and state = 'attached'`.execute(db)

  const isFile = async (fileKey: unknown, fileId: unknown) => {
    const { rows } = await sql`
      select from files where id = ${fileKey}::bigint and public_id = ${fileId}`.execute(db)
    return rows.length > 0
  }

  const writing: Writing = {
    db,

    async insert(actor, collection, values) {
      const definition = collections[collection] as Collection
      const { table, picture, refused = 'user_unauthorized', effects } = definition
      const given: Values = { public_id: newId(), ...values }
      const claimed = picture && typeof given.image_id === 'string' && claim(actor, given.image_id, picture)
      if (claimed) given.image_id = claimedOrRefuse
      const row = await run<typeof collection>(sql`
        with ${claimed ? sql`claimed as (${claimed}), ` : sql``}written as (
          insert into ${sql.table(table)} (${sql.join(Object.keys(given).map((column) => sql.ref(column)))})
          values (${sql.join(Object.values(given).map((value) => sql`${value}`))})
          ${onRepeat(definition)}
          returning *, (xmax <> 0) as existed
        ), recorded as (${record(definition, collection, 'create', sql`written where not written.existed`)}
        ), touched as (${recordTouched(definition)})
        select written.*, ${orRefuse(asked(actor, 'create', table, 'written'))},
          (select jsonb_agg(told) from (select * from recorded union all select * from touched) told) as changes
        from written`).catch((error: { code?: string }) => {
        if (error.code === refusals.forbidden) fail(refused)
        if (error.code === refusals.missing) fail('document_not_found')
        if (error.code === refusals.unclaimed) unclaimed()
        if (error.code === refusals.taken) fail('document_already_exists')
        throw error
      })
      if (!row) throw new Error('what was written is not there')
      if (!row.existed) await effects?.created?.(writing, row as never)
      return row
    },

    async update(actor, collection, publicId, values) {
      const definition = collections[collection] as Collection
      const { table, picture, refused = 'user_unauthorized', effects } = definition
      const before = await lockRow(actor, collection, publicId, 'update')
      const oldFile = picture ? (before as { image_id?: unknown }).image_id : undefined
      const given = { ...values }
      if (picture && typeof given.image_id === 'string') {
        if (await isFile(oldFile, given.image_id)) delete given.image_id
        else given.image_id = await attach(actor, given.image_id, picture)
      }
      if (Object.keys(given).length === 0) return before
      const row = await run<typeof collection>(sql`
        with written as (
          update ${sql.table(table)}
          set ${sql.join(Object.entries(given).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
          where id = ${before.id} returning *
        ), recorded as (${record(definition, collection, 'update', sql`written`)})
        select written.*, ${asked(actor, 'updated', table, 'written')} as permitted,
          (select jsonb_agg(recorded) from recorded) as changes from written`)
      if (!row?.permitted) return fail(refused)
      if (oldFile && 'image_id' in given) await release(oldFile)
      await effects?.updated?.(writing, before as never, row as never)
      return row
    },

    async remove(actor, collection, publicId) {
      const definition = collections[collection] as Collection
      const { table, picture, effects } = definition
      const before = await lockRow(actor, collection, publicId, 'delete')
      await effects?.removing?.(writing, before as never, actor)
      await run(sql`
        with told as (
          select t.* from ${sql.table(table)} as t where t.id = ${before.id}
        ), recorded as (${record(definition, collection, 'delete', sql`told`)}),
        gone as (delete from ${sql.table(table)} where id = ${before.id} returning id)
        select (select jsonb_agg(recorded) from recorded) as changes from gone`)
      if (picture) await release((before as { image_id?: unknown }).image_id)
      return before
    },

    async tell(collection, rowKey) {
      const { table } = collections[collection]
      return writing.tellWithin(
        collection,
        sql`written as (select * from ${sql.table(table)} where id = ${rowKey})`,
        sql<RowOf<typeof collection>>`written.* from written`,
      )
    },

    async tellWithin<T>(collection: CollectionName, steps: RawBuilder<unknown>, answer: RawBuilder<T>) {
      const definition = collections[collection] as Collection
      const row = await run(sql`
        with ${steps}, recorded as (${record(definition, collection, 'update', sql`written`)})
        select (select jsonb_agg(recorded) from recorded) as changes, ${answer}`)
      return row as T | undefined
    },

    async tellLosers(collection, which, members, atMost = 100) {
      const { table } = collections[collection]
      const { rows } = await sql<ChangeRow>`
        insert into changes as c (collection, kind, row_id, public_id, member_ids, state)
        select ${collection}, 'delete', t.id, t.public_id, ${members}, ${whichAlone} from ${sql.table(table)} as t
        where ${which} order by t.created_at desc, t.id desc limit ${atMost}
        returning ${changeColumns}`.execute(db)
      changes.push(...rows.map(toChange))
    },

    async lock(collection, publicId) {
      await lockAbove(collection, publicId)
      await sql`
        select from ${sql.table(collections[collection].table)} as t
        where t.public_id = ${publicId} for no key update of t`.execute(db)
    },

    async removeAll(collection, which) {
      const { table, picture } = collections[collection] as Collection
      const released = picture
        ? sql`, released as (
            update files set state = 'deleting' from gone where files.id = gone.image_id and files.state = 'attached'
          )`
        : sql``
      for (let removed = removedAtOnce; removed === removedAtOnce; ) {
        const { rows } = await sql<{ count: number }>`
          with gone as (
            delete from ${sql.table(table)} where id in (
              select t.id from ${sql.table(table)} as t where ${which} limit ${removedAtOnce}
            ) returning *
          )${released}
          select count(*) from gone`.execute(db)
        removed = rows[0]?.count ?? 0
      }
    },
  }
  return writing
}

/**
 * Of a row that leaves somebody's sight: which one it was and whose, and nothing it says. What she never looked at while
 * she could, she must not be told at the end.
 */
const whichAlone = sql`(select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t))
  where key in ('id', 'public_id', 'created_at', 'group_id', 'creator_id', 'user_id'))`

const asked = (actor: Actor, action: Action, table: Guarded, alias: string) =>
  actor === theServer ? sql<boolean>`true` : permits(asMe(actor), action, table, alias)

/** An id that another's row has is taken, as every other taken id is: no word about whose it is. */
const orRefuse = (permitted: RawBuilder<unknown>) => sql`
  case when ${permitted} then 1 when written.existed then refuse(${sql.lit(refusals.taken)})
    else refuse(${sql.lit(refusals.forbidden)}) end as granted`

/** Repeating a follow or a save answers with the row that is there, also for the loser of a race (reference M8). */
const onRepeat = ({ pair }: Collection) =>
  pair
    ? sql`on conflict on constraint ${sql.ref(pair.constraint)} do update set ${sql.ref(pair.column)} = excluded.${sql.ref(pair.column)}`
    : sql``

/** The outbox row of a change, written by the statement that changes (architecture §14.3). */
function record(
  definition: Collection,
  collection: CollectionName,
  kind: 'create' | 'update' | 'delete',
  source: RawBuilder<unknown>,
  alias = kind === 'delete' ? 'told' : 'written',
): RawBuilder<unknown> {
  const audience = definition.audience(columnsOf(alias))
  const state = kind === 'delete' ? sql`to_jsonb(told)` : sql`null::jsonb`
  return sql`
    insert into changes as c (collection, kind, row_id, public_id, member_ids, group_id, state)
    select ${collection}, ${kind}, ${sql.ref(alias)}.id, ${sql.ref(alias)}.public_id,
      ${audience.members ?? sql`null::bigint[]`}, ${audience.group ?? sql`null::bigint`}, ${state}
    from ${source} returning ${changeColumns}`
}

/** The same for the row that a new one touches, if it touches any. */
function recordTouched({ touches }: Collection): RawBuilder<unknown> {
  if (!touches) return sql`select ${changeColumns} from changes c where false`
  const { collection, key } = touches
  const definition = collections[collection] as Collection
  const source = sql`written join ${sql.table(definition.table)} as touching on touching.id = ${key(columnsOf('written'))}
    where not written.existed`
  return record(definition, collection, 'update', source, 'touching')
}
