/**
 * Reading the outbox of changes (architecture §14.1). Ids alone do not become visible in order: a later one can commit
 * first. A position is therefore the oldest transaction that was still running, and reading on from it repeats some rows,
 * which the reader drops by id.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type CollectionName, collections } from './collections.ts'
import type { Tables } from './database/schema.ts'

export type Change = {
  id: number
  /** The transaction that made it. */
  xid: bigint
  collection: CollectionName | 'accounts' | 'sessions'
  kind: 'create' | 'update' | 'delete'
  rowId: number
  publicId: string
  /** Candidates: these members, this group's members, this account's sockets, or everyone when all three are null. */
  memberIds: number[] | null
  groupId: number | null
  accountId: number | null
  /** The last state of a deleted row; which attribute of an account changed. */
  state: Record<string, unknown> | null
  at: Date
}

/** A change of one of the nine collections. */
export type DocumentChange = Change & { collection: CollectionName }

export const isOfDocument = (change: Change): change is DocumentChange => change.collection in collections

/** An update brings its document as it stands, so of those of one row that wait together the last is enough. */
export function lastUpdates(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>()
  const rowOf = ({ collection, rowId }: Change) => `${collection} ${rowId}`
  for (const change of changes) if (change.kind === 'update') last.set(rowOf(change), change)
  // An account's update says which of its attributes changed.
  return changes.filter(
    (change) => change.kind !== 'update' || !isOfDocument(change) || last.get(rowOf(change)) === change,
  )
}

/** Where somebody stands in the outbox, and when that was. */
export type Position = { xid: bigint; at: number }

/** A change as a statement gives it, as columns or as JSON. */
export type ChangeRow = Omit<Change, 'xid' | 'at'> & { xid: string; at: Date | string }

/** Of `c` (changes). */
export const changeColumns = sql`c.id, c.xid::text as xid, c.collection, c.kind, c.row_id as "rowId",
  c.public_id as "publicId", c.member_ids as "memberIds", c.group_id as "groupId", c.account_id as "accountId", c.state,
  c.created_at as at`

export const toChange = (row: ChangeRow): Change => ({ ...row, xid: BigInt(row.xid), at: new Date(row.at) })

/**
 * The changes with these ids, unless they are older than the position.
 * @param which a condition over `c` (changes)
 */
export async function changesById(
  db: Kysely<Tables>,
  ids: readonly number[],
  from: bigint,
  which: RawBuilder<unknown>,
): Promise<Change[]> {
  const { rows } = await sql<ChangeRow>`
    select ${changeColumns} from changes c
    where c.id = any(${ids}::bigint[]) and c.xid >= ${String(from)}::xid8 and ${which} order by c.id`.execute(
    db,
  )
  return rows.map(toChange)
}

/** Somebody's beginning: where the outbox stood, and which changes were committed after it. */
export type Beginning = {
  position: Position
  /** A condition over `c` (changes). */
  later: RawBuilder<unknown>
  isLater(change: Change): boolean
}

/** Where the outbox stands now. */
export async function beginning(db: Kysely<Tables>): Promise<Beginning> {
  const { rows } = await sql<{ snapshot: string; watermark: string; now: Date }>`
    select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text as watermark,
      clock_timestamp() as now`.execute(db)
  const [{ snapshot, watermark, now }] = rows as [(typeof rows)[number]]
  return {
    position: { xid: BigInt(watermark), at: now.getTime() },
    later: sql`not pg_visible_in_snapshot(c.xid, ${snapshot}::pg_snapshot)`,
    isLater: ({ xid }) => !isVisible(xid, snapshot),
  }
}

/** What `pg_visible_in_snapshot` says: `xmin:xmax:running,running…` */
function isVisible(xid: bigint, snapshot: string): boolean {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  return xid < BigInt(xmin) || (xid < BigInt(xmax) && !running.split(',').includes(String(xid)))
}

/**
 * What was committed at or past a position, oldest first.
 * @param which conditions over `c` (changes), each answered from its own index; one of them holds
 * @returns `most` + 1 changes when there are more
 */
export async function changesSince(
  db: Kysely<Tables>,
  from: bigint,
  which: readonly RawBuilder<unknown>[],
  most: number,
): Promise<{ changes: Change[]; position: Position }> {
  const parts = which.map(
    (
      condition,
    ) => sql`(select ${changeColumns} from changes c where c.xid >= ${String(from)}::xid8 and ${condition}
      order by c.xid, c.id limit ${most + 1})`,
  )
  const { rows } = await sql<Partial<ChangeRow> & { watermark: string; now: Date }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as watermark, clock_timestamp() as now, missed.*
    from (values (1)) as once left join (
      select * from (${sql.join(parts, sql` union all `)}) parts order by xid::xid8, id limit ${most + 1}
    ) missed on true`.execute(db)
  const [first] = rows
  if (!first) throw new Error('the outbox said nothing about itself')
  return {
    changes: rows.filter((row): row is typeof row & ChangeRow => row.id !== null).map(toChange),
    position: { xid: BigInt(first.watermark), at: first.now.getTime() },
  }
}

/** Changes are swept after seven days; an hour less leaves no doubt. */
const rememberedMs = 7 * 24 * 3600_000 - 3600_000

export const writePosition = ({ xid, at }: Position): string => `${xid.toString(36)}.${at.toString(36)}`

/** Null for what we never wrote. */
export function readPosition(text: string): Position | null {
  const [, xid, at] = /^([0-9a-z]{1,13})\.([0-9a-z]{1,9})$/.exec(text) ?? []
  if (xid === undefined || at === undefined) return null
  let value = 0n
  for (const digit of xid) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return { xid: value, at: Number.parseInt(at, 36) }
}

/** Whether everything since a position is still there: not swept, and of this database and not of one restored. */
export const isRemembered = (since: Position, now: Position): boolean =>
  since.xid <= now.xid && since.at > now.at - rememberedMs
