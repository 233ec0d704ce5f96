/**
 * A transaction with a later id can commit first, so a position is the oldest transaction still running.
 * Reading from it repeats some rows, which the reader drops by id.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { collectionDefinitionsByName } from './collection-definitions.ts'

/** Changes that only one account receives. Reports and cases are sent to no socket. */
export type AccountCollection =
  | 'accounts'
  | 'sessions'
  | 'tokens'
  | 'files'
  | 'followRequests'
  | 'namings'
  | 'notifications'
  | 'reports'
  | 'moderationCases'

export type LoggedChange = {
  id: number
  xid: bigint
  collection: CollectionName | AccountCollection
  kind: 'create' | 'update' | 'delete'
  rowId: number
  publicId: string
  /** All three fields are null if everyone is a candidate. */
  memberIds: number[] | null
  groupId: number | null
  accountId: number | null
  /**
   * The content depends on the change: a deleted row's last state, an update's cause (`caused_by`), an
   * account's attribute, an email's purpose, or a file.
   */
  state: Record<string, unknown> | null
  at: Date
}

/** Such changes belong to no collection. */
export const isForProductSocketOnly = (collection: LoggedChange['collection']): boolean =>
  collection === 'followRequests' || collection === 'namings' || collection === 'notifications'

export type DocumentChange = LoggedChange & { collection: CollectionName }

export const isDocumentChange = (change: LoggedChange): change is DocumentChange =>
  change.collection in collectionDefinitionsByName

/** More rows than the log lists: the recipients must load everything again. */
export const isUnlistedLoss = ({ kind, state }: Pick<LoggedChange, 'kind' | 'state'>): boolean =>
  kind === 'delete' && state?.unlisted === true

/** Keeps one update per row and merges the causes. The update carries the current document. */
export function keepLatestRowUpdates(changes: readonly LoggedChange[]): LoggedChange[] {
  const last = new Map<string, { change: LoggedChange; state: LoggedChange['state'] }>()
  const rowOf = ({ collection, rowId }: LoggedChange) => `${collection} ${rowId}`
  // An update of an account names the changed attribute, so a later one does not replace it.
  const isReplaceable = (change: LoggedChange) => change.kind === 'update' && isDocumentChange(change)
  for (const change of changes.filter(isReplaceable)) {
    const before = last.get(rowOf(change))
    last.set(rowOf(change), { change, state: before ? mergeCauses(before, change) : change.state })
  }
  return changes.flatMap((change) => {
    if (!isReplaceable(change)) return [change]
    const latest = last.get(rowOf(change))
    return latest?.change === change ? [{ ...change, state: latest.state }] : []
  })
}

/** An update without cause reaches every reader, so the result is null. */
function mergeCauses(...updates: Pick<LoggedChange, 'state'>[]): LoggedChange['state'] {
  const causes = updates.map(({ state }) => state?.caused_by as number[] | undefined)
  return causes.includes(undefined) ? null : { caused_by: [...new Set(causes.flat())] }
}

export type ChangeLogPosition = { xid: bigint; at: number }

export type ChangeLogRow = Omit<LoggedChange, 'xid' | 'at'> & { xid: string; at: Date | string }

export const changeLogColumns = sql`c.id, c.xid::text as xid, c.collection, c.kind, c.row_id as "rowId",
  c.public_id as "publicId", c.member_ids as "memberIds", c.group_id as "groupId", c.account_id as "accountId", c.state,
  c.created_at as at`

export const parseChangeLogRow = (row: ChangeLogRow): LoggedChange => ({
  ...row,
  xid: BigInt(row.xid),
  at: new Date(row.at),
})

/**
 * Omits changes older than the position.
 * @param which a condition over `c` (changes)
 */
export async function selectChangesById(
  db: Kysely<DatabaseTables>,
  ids: readonly number[],
  from: bigint,
  which: RawBuilder<unknown>,
): Promise<LoggedChange[]> {
  const { rows } = await sql<ChangeLogRow>`
    select ${changeLogColumns} from changes c
    where c.id = any(${ids}::bigint[]) and c.xid >= ${String(from)}::xid8 and ${which} order by c.id`.execute(
    db,
  )
  return rows.map(parseChangeLogRow)
}

export type ChangeLogStart = {
  position: ChangeLogPosition
  later: RawBuilder<unknown>
  isLater(change: LoggedChange): boolean
}

export async function readChangeLogStart(db: Kysely<DatabaseTables>): Promise<ChangeLogStart> {
  const { rows } = await sql<{ snapshot: string; watermark: string; now: Date }>`
    select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text as watermark,
      clock_timestamp() as now`.execute(db)
  const [{ snapshot, watermark, now }] = rows as [(typeof rows)[number]]
  return {
    position: { xid: BigInt(watermark), at: now.getTime() },
    later: sql`not pg_visible_in_snapshot(c.xid, ${snapshot}::pg_snapshot)`,
    isLater: ({ xid }) => !isCommittedIn(xid, snapshot),
  }
}

/** The position carries the current time, which shows that it belongs to this database. */
export async function findChangeLogPositionSecondsAgo(
  db: Kysely<DatabaseTables>,
  seconds: number,
): Promise<ChangeLogPosition> {
  const { rows } = await sql<{ xid: string; at: Date }>`
    select least(min(c.xid), pg_snapshot_xmin(pg_current_snapshot()))::text as xid,
      clock_timestamp() as at
    from changes c where c.created_at >= clock_timestamp() - make_interval(secs => ${seconds})`.execute(db)
  const [{ xid, at }] = rows as [(typeof rows)[number]]
  return { xid: BigInt(xid), at: at.getTime() }
}

/** Computes `pg_visible_in_snapshot` for a snapshot of the form `xmin:xmax:running,running…`. */
function isCommittedIn(xid: bigint, snapshot: string): boolean {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  return xid < BigInt(xmin) || (xid < BigInt(xmax) && !running.split(',').includes(String(xid)))
}

/** One index can find the whole selection. */
export type ChangeSelection = {
  /** A condition over `c` (changes) and, if `forEach` is given, over `one.value`. */
  where: RawBuilder<unknown>
  /** Values are looked up one by one, because one condition per value would multiply the planning time. */
  forEach?: readonly string[]
}

/**
 * Selects changes, oldest first.
 * @param which selections, each read from its own index; a change in any of them is returned
 * @param afterId continues after this change of the transaction `from`
 * @returns `max` + 1 changes when there are more
 */
export async function selectChangesSince(
  db: Kysely<DatabaseTables>,
  from: bigint,
  which: readonly ChangeSelection[],
  max: number,
  afterId = 0,
): Promise<{ changes: LoggedChange[]; position: ChangeLogPosition }> {
  const parts = which.map(({ where, forEach }) => {
    const some = sql`(select ${changeLogColumns} from changes c where (c.xid, c.id) > (${String(from)}::xid8, ${afterId}::bigint)
      and ${where} order by c.xid, c.id limit ${max + 1})`
    return forEach
      ? sql`(select of_one.* from unnest(${forEach}::text[]) as one (value) cross join lateral ${some} as of_one)`
      : some
  })
  const { rows } = await sql<Partial<ChangeLogRow> & { watermark: string; now: Date }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as watermark, clock_timestamp() as now, missed.*
    from (values (1)) as once left join (
      select * from (${sql.join(parts, sql` union all `)}) parts order by xid::xid8, id limit ${max + 1}
    ) missed on true`.execute(db)
  const [first] = rows
  if (!first) throw new Error('the outbox returned no position')
  return {
    changes: rows.filter((row): row is typeof row & ChangeLogRow => row.id !== null).map(parseChangeLogRow),
    position: { xid: BigInt(first.watermark), at: first.now.getTime() },
  }
}

/** Changes are purged after seven days; this is an hour less. */
const retentionMs = 7 * 24 * 3600_000 - 3600_000

/** False if changes were purged, or if the database was restored from a backup in the meantime. */
export const canCatchUpFrom = (since: ChangeLogPosition, now: ChangeLogPosition): boolean =>
  since.xid <= now.xid && since.at > now.at - retentionMs
