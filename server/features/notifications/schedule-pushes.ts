/**
 * Schedules pushes without their content, which is read when a push is due. It then omits what was read or hidden
 * meanwhile.
 */
import { sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { NotifiableChange } from './notification-candidates.ts'

/** Likes wait longer, because many often arrive together. */
const delays = { message: '5 seconds', like: '10 minutes', other: '30 seconds' }

/** Continuous activity must not postpone the message. */
const keepEarlier = sql`on conflict (subscription_id, topic) do update set due_at = least(p.due_at, excluded.due_at)`

/** Schedules pushes for the rows of `gathered`, with the numbers of `counted`. */
export const scheduleNotificationPushes = sql`
  insert into push_schedule as p (subscription_id, topic, due_at, told_up_to)
  select s.id, rung.topic, now() + rung.delay, c.last_seq - rung.added
  from (
    select user_id, case when kind in ('new-device', 'two-steps-off') then 'safety' else 'news' end as topic,
      min(case when kind in ('new-device', 'two-steps-off') then '0' when kind = 'like' then ${delays.like} else ${delays.other} end::interval) as delay,
      sum(count(*)) over (partition by user_id) as added
    from gathered where rings group by 1, 2
  ) rung
  join counted c on c.user_id = rung.user_id
  join push_subscriptions s on s.user_id = rung.user_id and s.session_id is not null
  order by s.id, rung.topic
  ${keepEarlier}`

export async function scheduleMessagePushes(
  db: Transaction<DatabaseTables>,
  changes: readonly NotifiableChange[],
): Promise<void> {
  const keys = changes
    .filter(({ collection, kind }) => collection === 'messages' && kind === 'create')
    .map(({ row_id }) => row_id)
  if (keys.length === 0) return
  await sql`
    insert into push_schedule as p (subscription_id, topic, due_at, told_up_to)
    select s.id, 'messages', now() + ${delays.message}::interval, min(m.id) - 1
    from unnest(${keys}::bigint[]) as t (id)
    join messages m on m.id = t.id
    join conversations c on c.id = m.conversation_id
    join push_subscriptions s on s.session_id is not null
      and s.user_id = case c.low_id when m.sender_id then c.high_id else c.low_id end
    group by s.id order by s.id
    ${keepEarlier}`.execute(db)
}
