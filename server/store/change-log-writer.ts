import { type Expression, type RawBuilder, sql, type Transaction } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { columnExpressionsOf, memberKeyParameter } from '../policy/index.ts'
import { systemActor, type WriteActor } from './actor.ts'
import {
  type ChangeLogRow,
  changeLogColumns,
  type LoggedChange,
  parseChangeLogRow,
} from './change-log-reader.ts'
import {
  type ChangeAudience,
  type CollectionDefinition,
  collectionDefinitionsByName,
} from './collection-definitions.ts'
import type { CauseCollection, CollectionRow, StoreTransaction } from './store-transaction.ts'

export type ChangeLogWriter = Pick<
  StoreTransaction,
  | 'recordChange'
  | 'recordChangeIn'
  | 'recordWith'
  | 'recordAccessLoss'
  | 'recordChangeFor'
  | 'recordDeletions'
  | 'recordAccountChange'
>

type RecordedChanges = { changes: ChangeLogRow[] | null }

/** @param changes collects the recorded changes, to be announced after the commit */
export function createChangeLogWriter(
  db: Transaction<DatabaseTables>,
  changes: LoggedChange[],
): ChangeLogWriter {
  const run = async (query: RawBuilder<unknown>): Promise<object | undefined> => {
    const { rows } = await query.execute(db)
    const row = rows[0] as RecordedChanges | undefined
    changes.push(...(row?.changes ?? []).map(parseChangeLogRow))
    return row
  }

  /** Without members, everyone lost access, and nothing is recorded. */
  const recordUnlistedLoss = async (
    collection: CollectionName,
    which: RawBuilder<unknown>,
    members: RawBuilder<unknown>,
    listed: number,
  ) => {
    const { rows } = await sql<ChangeLogRow>`
      insert into changes as c (collection, kind, row_id, public_id, member_ids, state)
      select ${collection}, 'delete', unlisted.id, unlisted.public_id, told.members, '{"unlisted": true}'
      from (select t.id, t.public_id from ${sql.table(collectionDefinitionsByName[collection].table)} as t
        where ${which} order by t.created_at desc, t.id desc offset ${listed} limit 1) unlisted,
        (select ${members} as members) told
      where told.members is not null
      returning ${changeLogColumns}`.execute(db)
    changes.push(...rows.map(parseChangeLogRow))
  }

  const writer: ChangeLogWriter = {
    async recordChange(collection, rowKey, causedBy, by) {
      const { table } = collectionDefinitionsByName[collection]
      return writer.recordChangeIn(
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
      return (await run(buildChangeStatement(collection, steps, answer, causedBy, by))) as T | undefined
    },

    async recordWith(statement, values) {
      const [row] = await statement(db, values)
      changes.push(...((row as RecordedChanges | undefined)?.changes ?? []).map(parseChangeLogRow))
      return row
    },

    async recordAccessLoss(collection, which, members, named = [], { atMost = 100, losers = members } = {}) {
      const { table } = collectionDefinitionsByName[collection]
      const state = sql`(select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t))
        where key = any(${['id', 'public_id', 'created_at', ...named]}::text[])) || ${ownersOf(collectionDefinitionsByName[collection] as CollectionDefinition, 't')}`
      const { rows } = await sql<ChangeLogRow>`
        insert into changes as c (collection, kind, row_id, public_id, member_ids, state)
        select ${collection}, 'delete', t.id, t.public_id, ${members}, ${state} from ${sql.table(table)} as t
        where ${which} order by t.created_at desc, t.id desc limit ${atMost}
        returning ${changeLogColumns}`.execute(db)
      changes.push(...rows.map(parseChangeLogRow))
      if (rows.length === atMost) await recordUnlistedLoss(collection, which, losers, atMost)
    },

    async recordChangeFor(collection, rowKeys, member, causedBy, by) {
      const { rows } = await sql<ChangeLogRow>`
        insert into changes as c (collection, kind, row_id, public_id, member_ids, state)
        select ${collection}, 'update', t.id, t.public_id, array[${memberKeyParameter(member)}]::bigint[], ${causeOfMember(causedBy, by)}
        from ${sql.table(collectionDefinitionsByName[collection].table)} as t where t.id = any(${rowKeys}::bigint[])
        order by t.created_at desc, t.id desc limit 100
        returning ${changeLogColumns}`.execute(db)
      changes.push(...rows.map(parseChangeLogRow))
      if (rows.length === 100)
        await recordUnlistedLoss(
          collection,
          sql`t.id = any(${rowKeys}::bigint[])`,
          sql`array[${memberKeyParameter(member)}]::bigint[]`,
          100,
        )
    },

    async recordDeletions(collection, which, { atMost, causedBy }) {
      const own = collectionDefinitionsByName[collection] as CollectionDefinition
      const definition: CollectionDefinition =
        causedBy === undefined
          ? own
          : { ...own, owners: (row) => [...(own.owners?.(row) ?? []), memberKeyParameter(causedBy)] }
      await run(sql`
        with removed as (
          select t.* from ${sql.table(definition.table)} as t where ${which} order by t.id limit ${atMost}
        ),
        recorded as (${recordInOutbox(definition, collection, 'delete', systemActor, sql`removed`)})
        select (select jsonb_agg(recorded) from recorded) as changes`)
    },

    async recordAccountChange(collection, kind, { id, public_id }, members) {
      const { rows } = await sql<ChangeLogRow>`
        insert into changes as c (collection, kind, row_id, public_id, account_id)
        select ${collection}, ${kind}, ${id}, ${public_id}, u.account_id from users u
        where u.id = any(${members}::bigint[]) returning ${changeLogColumns}`.execute(db)
      changes.push(...rows.map(parseChangeLogRow))
    },
  }
  return writer
}

const ownersOf = ({ owners }: CollectionDefinition, alias: string) =>
  owners
    ? sql`jsonb_build_object('owner_ids', jsonb_build_array(${sql.join(owners(columnExpressionsOf(alias)))}))`
    : sql`'{}'::jsonb`

const remainsOf = (definition: CollectionDefinition, alias: string) =>
  sql`${definition.remains?.(columnExpressionsOf(alias)) ?? sql`to_jsonb(${sql.ref(alias)})`} || ${ownersOf(definition, alias)}`

/** If `by` is not given, the action is a like of a post. */
const causeOf = (member?: Expression<unknown>, by?: CauseCollection) =>
  member || by
    ? sql`jsonb_strip_nulls(jsonb_build_object('caused_by', ${member ? sql`jsonb_build_array(${member})` : sql`null`}, 'by', ${by ?? null}::text))`
    : sql`null::jsonb`

const causeOfMember = (member?: number | Expression<number>, by?: CauseCollection) =>
  causeOf(member === undefined ? undefined : memberKeyParameter(member), by)

/** The statement of `recordChangeIn`, for `recordWith`. */
export function buildChangeStatement<T>(
  collection: CollectionName,
  steps: RawBuilder<unknown>,
  answer: RawBuilder<T>,
  causedBy?: number | Expression<number>,
  by?: CauseCollection,
): RawBuilder<T> {
  const definition = collectionDefinitionsByName[collection] as CollectionDefinition
  return sql`
    with ${steps}, recorded as (${recordInOutbox(definition, collection, 'update', systemActor, sql`written`, causeOfMember(causedBy, by))})
    select (select jsonb_agg(recorded) from recorded) as changes, ${answer}`
}

export function recordInOutbox(
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

/** The audience of the insert's change `recorded` also receives the change of the row that the insert touches. */
export function recordTouchedRowInOutbox(
  { collection, key, causedBy }: NonNullable<CollectionDefinition['touches']>,
  touchedBy: CollectionName,
): RawBuilder<unknown> {
  const source = sql`recorded cross join written
    join ${sql.table(collectionDefinitionsByName[collection].table)} as touching on touching.id = ${key(columnExpressionsOf('written'))}`
  const recipients = {
    members: sql.ref<number[] | null>('recorded.memberIds'),
    group: sql.ref('recorded.groupId'),
  }
  const cause = causedBy && causeOf(causedBy(columnExpressionsOf('written')), touchedBy)
  return insertChange(collection, 'update', 'touching', recipients, cause ?? causeOf(), source)
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
  from ${source} returning ${changeLogColumns}`
