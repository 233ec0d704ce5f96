/**
 * Notifications are written from the outbox, so that a like or message costs no extra write.
 * A run writes its rows in the transaction that moves the cursor, so each change counts once.
 * Lock order: a member's mark, then the member's rows.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { accountNotificationKinds } from '#contract/notifications/notifications.ts'
import type { Database } from '../../database/open-database.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import {
  type ChangeLogRow,
  changeLogColumns,
  type LoggedChange,
  parseChangeLogRow,
} from '../../store/change-log-reader.ts'
import {
  buildCandidateQueries,
  maxPushedGroupMembers,
  selectCandidatesAsJson,
  selectFromCandidatesAsJson,
  unnestLikes,
} from './notification-candidates.ts'
import { whereNotificationIsListed } from './notification-queries.ts'
import { scheduleMessagePushes, scheduleNotificationPushes } from './schedule-pushes.ts'

/** `fanOut` limits the number of rows that group posts cause. The first group may exceed it. */
type RoundSize = { changes: number; fanOut: number }
const fullRound: RoundSize = { changes: 5000, fanOut: 20_000 }
/** After a timeout with one of these SQLSTATEs, the next run reads fewer changes. */
const tooLongCodes = new Set(['57014', '55P03'])
/**
 * Thousands of outbox rows would make nodes fall behind and close sockets, so one row notifies many members.
 */
const membersPerChange = 500
/** The cursor of an idle job moves after this many transactions, so that later runs do not reread them. */
const maxIdleTransactions = 1000n
export const notificationRetentionDays = 90
/** The job deletes a member's excess rows when their numbers pass a multiple of `trimEvery`. */
const keptRows = 500
const keptAccountRows = 100
const trimEvery = 50

const sources = [
  'posts',
  'comments',
  'follows',
  'followRequests',
  'namings',
  'groupRequests',
  'groups',
  'messages',
  'sessions',
  'users',
  'reports',
  'moderationCases',
  'applications',
]

type SourceChange = {
  id: number
  xid: string
  collection: string
  kind: string
  row_id: number
  actor_id: number | null
}

/** `behind`: more changes wait. `busy`: another node is running. */
export type NotificationRoundResult = 'done' | 'behind' | 'busy'

/**
 * After a timeout, the next run reads half as many changes, and later runs read more again.
 * @param notify receives the changes of each transaction after its commit
 */
export function createNotificationWriter(
  { kysely }: Database,
  notify: (changes: readonly LoggedChange[]) => void,
): () => Promise<NotificationRoundResult> {
  let size = fullRound
  return async () => {
    const tried = { ...size }
    try {
      const { result, logged } = await kysely.transaction().execute((db) => runRound(db, tried))
      size = {
        changes: Math.min(size.changes * 2, fullRound.changes),
        fanOut: Math.min(size.fanOut * 2, fullRound.fanOut),
      }
      if (logged.length > 0) notify(logged)
      return result
    } catch (error) {
      if (tooLongCodes.has((error as { code?: string }).code ?? '')) {
        size = { changes: Math.ceil(tried.changes / 2), fanOut: Math.ceil(tried.fanOut / 2) }
      }
      throw error
    }
  }
}

type Round = { result: NotificationRoundResult; logged: readonly LoggedChange[] }

/** @param size this function lowers it to what the run could handle */
async function runRound(db: Transaction<DatabaseTables>, size: RoundSize): Promise<Round> {
  const maxChanges = size.changes
  const cursor = await lockCursor(db)
  if (cursor === null) return { result: 'busy', logged: [] }
  const { rows: changes } = await sql<SourceChange>`
    select c.id, c.xid::text as xid, c.collection, c.kind, c.row_id, (c.state -> 'caused_by' ->> 0)::bigint as actor_id
    from changes c
    where (c.xid, c.id) > (${cursor.after_xid}::xid8, ${cursor.after_id}::bigint)
      and not pg_visible_in_snapshot(c.xid, ${cursor.seen}::pg_snapshot)
      and pg_visible_in_snapshot(c.xid, ${cursor.target}::pg_snapshot)
      and c.collection = any(${sources}::text[]) and c.kind <> 'delete' and not coalesce(c.state ? 'by', false)
    order by c.xid, c.id limit ${maxChanges}`.execute(db)
  const { taken, fanOut } = await withinFanOut(db, changes, size.fanOut)
  Object.assign(size, { changes: Math.max(1, taken.length), fanOut: Math.max(1, fanOut) })
  const isBehind = taken.length < changes.length || changes.length === maxChanges
  const last = taken.at(-1)
  if (isBehind && last) {
    await sql`update notification_cursor set target = ${cursor.target}::pg_snapshot, after_xid = ${last.xid}::xid8,
      after_id = ${last.id}`.execute(db)
  } else if (last || cursor.began || cursor.distance > maxIdleTransactions) {
    await sql`update notification_cursor set seen = ${cursor.target}::pg_snapshot, target = null, after_xid = '0',
      after_id = 0`.execute(db)
  }
  const logged = await writeNotificationsOf(db, taken)
  await scheduleMessagePushes(db, taken)
  return { result: isBehind ? 'behind' : 'done', logged }
}

async function writeNotificationsOf(
  db: Transaction<DatabaseTables>,
  changes: readonly SourceChange[],
): Promise<readonly LoggedChange[]> {
  const candidates: string[] = []
  for (const query of buildCandidateQueries(changes)) {
    const { rows } = await selectCandidatesAsJson(query).execute(db)
    for (const { candidate } of rows) candidates.push(candidate)
  }
  if (candidates.length === 0 && !changes.some(mayLowerCounts)) return []
  return upsertNotifications(
    db,
    selectFromCandidatesAsJson(candidates),
    sql`select user_id from gathered union ${withdrawnLikes(changes)} union ${notifiedModerators(changes)}
      union ${notifiedOfApplications(changes)}`,
  )
}

type Cursor = {
  seen: string
  target: string
  /**
   * The next run reads the changes after this transaction and `after_id`. It compares both in one condition,
   * because with two, PostgreSQL could read the outbox from the start.
   */
  after_xid: string
  after_id: number
  /** Whether an earlier run stopped before its target. */
  began: boolean
  distance: bigint
}

/**
 * A new cursor starts at the current transaction, so that old events send no push notifications.
 * @returns null while another node runs
 */
async function lockCursor(db: Transaction<DatabaseTables>): Promise<Cursor | null> {
  // Planning a query of candidates takes up to 40 ms, and PostgreSQL would plan it anew for the first five runs of
  // each connection.
  const { rows: locks } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('notifications')) as taken,
      set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(db)
  if (!locks[0]?.taken) return null
  const select = sql<Omit<Cursor, 'distance'> & { distance: string }>`
    select seen::text, coalesce(target, pg_current_snapshot())::text as target,
      greatest(after_xid, pg_snapshot_xmin(seen))::text as after_xid,
      case when after_xid < pg_snapshot_xmin(seen) then 0 else after_id end as after_id,
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

/** Counts the members of each group with new posts once. Large groups count as zero. */
async function withinFanOut(
  db: Transaction<DatabaseTables>,
  changes: readonly SourceChange[],
  maxFanOut: number,
): Promise<{ taken: readonly SourceChange[]; fanOut: number }> {
  const created = changes.filter(({ collection, kind }) => collection === 'posts' && kind === 'create')
  if (created.length === 0) return { taken: changes, fanOut: 0 }
  const { rows } = await sql<{ id: number; group_id: number; member_count: number }>`
    select p.id, g.id as group_id, g.member_count from posts p
    join groups g on g.id = p.group_id and g.member_count <= ${maxPushedGroupMembers}
    where p.id = any(${created.map(({ row_id }) => row_id)}::bigint[])`.execute(db)
  const groupOf = new Map(rows.map((row) => [row.id, row]))
  const counted = new Set<number>()
  let fanOut = 0
  const end = changes.findIndex(({ collection, kind, row_id }) => {
    const group = collection === 'posts' && kind === 'create' ? groupOf.get(row_id) : undefined
    if (!group || counted.has(group.group_id)) return false
    if (counted.size > 0 && fanOut + group.member_count > maxFanOut) return true
    counted.add(group.group_id)
    fanOut += group.member_count
    return false
  })
  return { taken: end === -1 ? changes : changes.slice(0, end), fanOut }
}

const isUpdateOf =
  (updated: string) =>
  ({ collection, kind }: SourceChange): boolean =>
    collection === updated && kind === 'update'

const mayLowerCounts = (change: SourceChange): boolean =>
  change.actor_id !== null || isUpdateOf('moderationCases')(change) || isUpdateOf('applications')(change)

/** Selects the posts' authors, whose counts fall if likes are withdrawn. */
const withdrawnLikes = (taken: readonly SourceChange[]): RawBuilder<unknown> => sql`
  select n.user_id from ${unnestLikes(taken)} as t (post_id, actor_id)
  join notifications n on n.post_id = t.post_id and n.kind = 'like'
  where not exists (select from post_likes l where l.post_id = t.post_id and l.user_id = t.actor_id)`

/** Selects the notified moderators, whose counts fall if cases are claimed, released or decided. */
const notifiedModerators = (taken: readonly SourceChange[]): RawBuilder<unknown> =>
  taken.some(isUpdateOf('moderationCases'))
    ? sql`select n.user_id from notifications n join moderators mo on mo.member_id = n.user_id where n.kind = 'report'`
    : sql`select null::bigint where false`

const notifiedOfApplications = (taken: readonly SourceChange[]): RawBuilder<unknown> =>
  taken.some(isUpdateOf('applications'))
    ? sql`select n.user_id from notifications n where n.kind in ('application', 'vouch-request')`
    : sql`select null::bigint where false`

/**
 * If the actor's previous event sent a push notification within a day, the row keeps its number.
 * @param candidates a query with the columns of `renderNotificationCandidateColumns`
 * @param told a query of members to notify, which may read `gathered`
 * @returns changes that notify the members' sockets
 */
export async function upsertNotifications(
  db: Transaction<DatabaseTables>,
  candidates: RawBuilder<unknown>,
  logged: RawBuilder<unknown>,
): Promise<readonly LoggedChange[]> {
  const { rows } = await sql<{ logged: ChangeLogRow[] | null; trimmed: number[] | null }>`
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
        max(c.conversation_id) as conversation_id, max(c.comment_id) as comment_id,
        max(c.person_id) as person_id, max(c.report_id) as report_id, max(c.user_agent) as user_agent, min(c.at) as since, max(c.at) as last_at,
        bool_or(c.throttle is null or r.user_id is not null) or not exists (
          select from notifications n where n.user_id = c.user_id and n.kind = c.kind and n.subject = c.subject) as rings
      from candidates c
      left join rung r on r.user_id = c.user_id and r.subject = c.throttle and r.actor_id = c.actor_id
      group by c.user_id, c.kind, c.subject
    ), counted as (
      insert into notification_marks as m (user_id, last_seq)
      select user_id, count(*) filter (where rings) from gathered group by user_id order by user_id
      on conflict (user_id) do update set last_seq = m.last_seq + excluded.last_seq
      returning user_id, last_seq
    ), written as (
      insert into notifications as n (public_id, user_id, kind, subject, post_id, group_id, group_request_id,
        follow_request_id, conversation_id, comment_id, person_id, report_id, user_agent, since, last_at, seq)
      select left(replace(gen_random_uuid()::text, '-', ''), 20), g.user_id, g.kind, g.subject, g.post_id, g.group_id,
        g.group_request_id, g.follow_request_id, g.conversation_id, g.comment_id, g.person_id, g.report_id, g.user_agent, g.since, g.last_at,
        case when g.rings then c.last_seq + 1 - row_number() over (
          partition by g.user_id, g.rings order by g.last_at desc, g.kind desc, g.subject) else 0 end
      from gathered g join counted c on c.user_id = g.user_id
      on conflict (user_id, kind, subject) do update set
        group_request_id = excluded.group_request_id, follow_request_id = excluded.follow_request_id,
        last_at = greatest(n.last_at, excluded.last_at), seq = greatest(n.seq, excluded.seq),
        -- A seen notification without events for a day starts again with the new event.
        since = case when n.last_at < excluded.last_at - interval '24 hours'
          and n.seq <= (select m.seen_seq from notification_marks m where m.user_id = n.user_id) then excluded.since else n.since end
    ), scheduled as (${scheduleNotificationPushes}), logged as (${recordNotificationChange(logged)})
    select (select jsonb_agg(logged) from logged) as logged, (select array_agg(g.user_id) from counted c
        join (select user_id, count(*) as added from gathered where rings group by user_id) g on g.user_id = c.user_id
        where c.last_seq > ${keptRows} and c.last_seq / ${trimEvery} > (c.last_seq - g.added) / ${trimEvery}) as trimmed`.execute(
    db,
  )
  const [written] = rows
  if (written?.trimmed) await trimNotifications(db, written.trimmed)
  return (written?.logged ?? []).map(parseChangeLogRow)
}

const isOfAccount = sql`n.kind = any(${[...accountNotificationKinds]}::text[])`

/**
 * Notifications about the account count separately, so that others cannot displace them.
 * Unlisted rows are deleted first, then the oldest.
 */
async function trimNotifications(db: Transaction<DatabaseTables>, members: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; others: number; own: number }>`
    select m.id, count(*) filter (where not ${isOfAccount})::int as others, count(*) filter (where ${isOfAccount})::int as own
    from unnest(${hideKeyArrayLengthFromPlanner(members)}) as m (id) join notifications n on n.user_id = m.id group by m.id`.execute(
    db,
  )
  const keepFirst = (me: number, which: RawBuilder<unknown>, order: RawBuilder<unknown>, kept: number) =>
    sql`delete from notifications where id in (
      select n.id from notifications n where n.user_id = ${me} and ${which} order by ${order} offset ${kept})`.execute(
      db,
    )
  for (const { id, others, own } of rows) {
    if (own > keptAccountRows) await keepFirst(id, isOfAccount, sql`n.seq desc`, keptAccountRows)
    if (others > keptRows)
      await keepFirst(
        id,
        sql`not ${isOfAccount}`,
        sql`${whereNotificationIsListed(id)} desc, n.seq desc`,
        keptRows,
      )
  }
}

/** @param members a query of distinct keys */
export const recordNotificationChange = (members: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into changes as c (collection, kind, row_id, public_id, member_ids)
  select 'notifications', 'update', 0, 'notifications', array_agg(id order by id)
  from (select m.id, row_number() over (order by m.id) / ${membersPerChange} as part from (${members}) as m (id)) as parts
  group by part returning ${changeLogColumns}`
