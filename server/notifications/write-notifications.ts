/**
 * Writes notifications out of the outbox of changes, after the writes themselves: nothing is added to a like or a message. One
 * round reads the changes that were committed since the last one, and writes a row per member and subject in the transaction
 * that moves the cursor: whatever happens to the server, each change is told once. Nodes take turns by an advisory lock.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import {
  type ChangeRow,
  changeColumns,
  type LoggedChange,
  parseChangeLogRow,
} from '../store/change-log-reader.ts'
import { selectCandidates } from './notification-candidates.ts'

/** Changes per round. */
const maxChanges = 5000
/** Rows per round that posts of groups may bring about, beyond the first group's. */
const maxFanOut = 20_000
/** Transactions after which an idle cursor is moved all the same, so that a round does not read past them again and again. */
const maxIdleTransactions = 1000n
/** Rows a member keeps, and how many may gather beyond before the oldest go. */
const keptRows = 500
const trimEvery = 50

/** Collections whose changes can bring about notifications. */
const sources = ['posts', 'follows', 'followRequests', 'groupRequests', 'messages', 'sessions']

type SourceChange = {
  id: number
  xid: string
  collection: string
  kind: string
  row_id: number
  actor_id: number | null
}

/** What a round came to: `behind` when more changes wait, `busy` when another node is at it. */
export type RoundResult = 'done' | 'behind' | 'busy'

/**
 * Runs one round.
 * @param notify gets the changes to tell sockets of, after the commit
 */
export async function writeNotifications(
  { kysely }: Database,
  notify: (changes: readonly LoggedChange[]) => void,
): Promise<RoundResult> {
  const { result, told } = await kysely.transaction().execute(runRound)
  if (told.length > 0) notify(told)
  return result
}

type Round = { result: RoundResult; told: readonly LoggedChange[] }

async function runRound(db: Transaction<DatabaseTables>): Promise<Round> {
  const cursor = await lockCursor(db)
  if (cursor === null) return { result: 'busy', told: [] }
  const { rows: changes } = await sql<SourceChange>`
    select c.id, c.xid::text as xid, c.collection, c.kind, c.row_id, (c.state -> 'caused_by' ->> 0)::bigint as actor_id
    from changes c
    where c.xid >= pg_snapshot_xmin(${cursor.seen}::pg_snapshot) and (c.xid, c.id) > (${cursor.after_xid}::xid8, ${cursor.after_id}::bigint)
      and not pg_visible_in_snapshot(c.xid, ${cursor.seen}::pg_snapshot)
      and pg_visible_in_snapshot(c.xid, ${cursor.target}::pg_snapshot)
      and c.collection = any(${sources}::text[]) and c.kind <> 'delete'
    order by c.xid, c.id limit ${maxChanges}`.execute(db)
  const taken = await withinFanOut(db, changes)
  const isBehind = taken.length < changes.length || changes.length === maxChanges
  const last = taken.at(-1)
  if (isBehind && last) {
    await sql`update notification_cursor set target = ${cursor.target}::pg_snapshot, after_xid = ${last.xid}::xid8,
      after_id = ${last.id}`.execute(db)
  } else if (last || cursor.began || cursor.distance > maxIdleTransactions) {
    await sql`update notification_cursor set seen = ${cursor.target}::pg_snapshot, target = null, after_xid = '0',
      after_id = 0`.execute(db)
  }
  const told =
    taken.length > 0 ? await upsertNotifications(db, selectCandidates(taken), withdrawnLikes(taken)) : []
  return { result: isBehind ? 'behind' : 'done', told }
}

type Cursor = {
  seen: string
  target: string
  after_xid: string
  after_id: number
  /** Whether a round before left changes of its target. */
  began: boolean
  distance: bigint
}

/**
 * Reads the cursor, which begins at the present where there is none, as after a restore: what was before rings nobody.
 * @returns null while another node runs a round
 */
async function lockCursor(db: Transaction<DatabaseTables>): Promise<Cursor | null> {
  const { rows: locks } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('notifications')) as taken`.execute(db)
  if (!locks[0]?.taken) return null
  const select = sql<Omit<Cursor, 'distance'> & { distance: string }>`
    select seen::text, coalesce(target, pg_current_snapshot())::text as target, after_xid::text, after_id,
      target is not null as began,
      (pg_snapshot_xmax(pg_current_snapshot())::text::numeric - pg_snapshot_xmin(seen)::text::numeric)::text as distance
    from notification_cursor`
  const { rows } = await select.execute(db)
  if (!rows[0]) {
    await sql`insert into notification_cursor (seen) values (pg_current_snapshot())`.execute(db)
    return lockCursor(db)
  }
  return { ...rows[0], distance: BigInt(rows[0].distance) }
}

/** Takes as many of the changes as fit into one round by the members of the groups that were posted in. */
async function withinFanOut(
  db: Transaction<DatabaseTables>,
  changes: readonly SourceChange[],
): Promise<readonly SourceChange[]> {
  const created = changes.filter(({ collection, kind }) => collection === 'posts' && kind === 'create')
  if (created.length === 0) return changes
  const { rows } = await sql<{ id: number; group_id: number; member_count: number }>`
    select p.id, g.id as group_id, g.member_count from posts p join groups g on g.id = p.group_id
    where p.id = any(${created.map(({ row_id }) => row_id)}::bigint[])`.execute(db)
  const groupOf = new Map(rows.map((row) => [row.id, row]))
  const counted = new Set<number>()
  let fanOut = 0
  const end = changes.findIndex(({ collection, kind, row_id }) => {
    const group = collection === 'posts' && kind === 'create' ? groupOf.get(row_id) : undefined
    if (!group || counted.has(group.group_id)) return false
    counted.add(group.group_id)
    fanOut += group.member_count
    return counted.size > 1 && fanOut > maxFanOut
  })
  return end === -1 ? changes : changes.slice(0, end)
}

/** Selects the authors of posts whose likes were taken back: their numbers may be less now. */
const withdrawnLikes = (taken: readonly SourceChange[]): RawBuilder<unknown> => {
  const likes = taken.filter(({ collection, actor_id }) => collection === 'posts' && actor_id !== null)
  return sql`
    select n.user_id from unnest(${likes.map(({ row_id }) => row_id)}::bigint[], ${likes.map(({ actor_id }) => actor_id)}::bigint[])
      as t (post_id, actor_id)
    join notifications n on n.post_id = t.post_id and n.kind = 'like'
    where not exists (select from post_likes l where l.post_id = t.post_id and l.user_id = t.actor_id)`
}

/**
 * Writes a row per member, kind and subject. An event that rang within a day leaves the number of its row as it was; the
 * others give it the member's next.
 * @param candidates a query of `NotificationCandidate`s
 * @param alsoTold a query of further members whose counts may have changed
 * @returns the changes by which the members' sockets learn of it
 */
export async function upsertNotifications(
  db: Transaction<DatabaseTables>,
  candidates: RawBuilder<unknown>,
  alsoTold: RawBuilder<unknown> = sql`select null::bigint where false`,
): Promise<readonly LoggedChange[]> {
  const { rows } = await sql<ChangeRow & { trimmed: number[] | null }>`
    with candidates as materialized (${candidates}),
    rung as (
      insert into notification_throttle as t (user_id, subject, actor_id, rung_at)
      select distinct user_id, throttle, actor_id, now() from candidates where throttle is not null
      on conflict (user_id, subject, actor_id) do update set rung_at = excluded.rung_at
        where t.rung_at < excluded.rung_at - interval '24 hours'
      returning user_id, subject, actor_id
    ), gathered as (
      select c.user_id, c.kind, c.subject, max(c.post_id) as post_id, max(c.group_id) as group_id,
        max(c.group_request_id) as group_request_id, max(c.follow_request_id) as follow_request_id,
        max(c.conversation_id) as conversation_id, max(c.user_agent) as user_agent, min(c.at) as since, max(c.at) as last_at,
        bool_or(c.throttle is null or r.user_id is not null) as rings
      from candidates c
      left join rung r on r.user_id = c.user_id and r.subject = c.throttle and r.actor_id = c.actor_id
      group by c.user_id, c.kind, c.subject
    ), counted as (
      insert into notification_marks as m (user_id, last_seq)
      select user_id, count(*) from gathered where rings group by user_id order by user_id
      on conflict (user_id) do update set last_seq = m.last_seq + excluded.last_seq
      returning user_id, last_seq
    ), written as (
      insert into notifications as n (public_id, user_id, kind, subject, post_id, group_id, group_request_id,
        follow_request_id, conversation_id, user_agent, since, last_at, seq)
      select left(replace(gen_random_uuid()::text, '-', ''), 20), g.user_id, g.kind, g.subject, g.post_id, g.group_id,
        g.group_request_id, g.follow_request_id, g.conversation_id, g.user_agent, g.since, g.last_at,
        case when g.rings then c.last_seq + 1 - row_number() over (
          partition by g.user_id, g.rings order by g.last_at desc, g.kind desc, g.subject) else 0 end
      from gathered g left join counted c on c.user_id = g.user_id
      on conflict (user_id, kind, subject) do update set
        group_request_id = excluded.group_request_id, follow_request_id = excluded.follow_request_id,
        last_at = greatest(n.last_at, excluded.last_at), seq = greatest(n.seq, excluded.seq),
        -- What was seen and rested for a day is told, and the next one begins anew.
        since = case when n.last_at < excluded.last_at - interval '24 hours'
          and n.seq <= (select m.seen_seq from notification_marks m where m.user_id = n.user_id) then excluded.since else n.since end
    ), told as (${recordNotificationChange(sql`select user_id from gathered union ${alsoTold}`)})
    select told.*, (select array_agg(g.user_id) from counted c
        join (select user_id, count(*) as added from gathered where rings group by user_id) g on g.user_id = c.user_id
        where c.last_seq > ${keptRows} and c.last_seq / ${trimEvery} > (c.last_seq - g.added) / ${trimEvery}) as trimmed
    from told`.execute(db)
  const trimmed = rows[0]?.trimmed
  if (trimmed) await trimNotifications(db, trimmed)
  return rows.map(parseChangeLogRow)
}

/** Deletes the oldest rows of members beyond those that are kept. */
async function trimNotifications(db: Transaction<DatabaseTables>, members: readonly number[]): Promise<void> {
  await sql`
    delete from notifications n using unnest(${members}::bigint[]) as m (id)
    where n.user_id = m.id and n.seq <= (
      select o.seq from notifications o where o.user_id = m.id order by o.seq desc offset ${keptRows} limit 1)`.execute(
    db,
  )
}

/** Renders the statement that tells the sockets of members that their notifications are others now. @param members a query of keys */
export const recordNotificationChange = (members: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into changes as c (collection, kind, row_id, public_id, account_id)
  select 'notifications', 'update', 0, u.public_id, u.account_id from users u where u.id in (${members})
  returning ${changeColumns}`
