/** Posts in large groups neither write a row per member nor send push notifications. */
import { sql } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import { memberKeyParameter, whereMemberMayRead } from '../../policy/index.ts'
import { whereNeitherMutedNorRestricted } from '../people/mute-filter.ts'
import { maxPushedGroupMembers, renderNotificationCandidateColumns } from './notification-candidates.ts'
import { notificationRetentionDays, upsertNotifications } from './write-notifications.ts'

/** A job may lock the member's mark for seconds. The list does not wait that long. */
const lockTimeoutMs = 500

/** If the database is too busy, the notification list omits large-group notifications. */
export async function writeLargeGroupNotificationsOnRead(
  { database: { kysely }, log }: Pick<AppContext, 'database' | 'log'>,
  me: number,
): Promise<void> {
  const asMe = memberKeyParameter(me)
  const candidates = sql`
    select ${renderNotificationCandidateColumns({
      user_id: 'm.user_id',
      kind: 'group-post',
      subject: `'group:' || m.group_id`,
      actor_id: 'null',
      at: 'newest.created_at',
      refs: { group_id: 'm.group_id' },
    })}
    from group_members m join groups g on g.id = m.group_id and g.member_count > ${maxPushedGroupMembers}
    left join notifications n on n.user_id = m.user_id and n.kind = 'group-post' and n.subject = 'group:' || m.group_id
    cross join lateral (
      select p.created_at from posts p
      where p.group_id = m.group_id and p.creator_id <> ${asMe} and p.created_at > coalesce(n.last_at, m.created_at)
        and p.created_at > clock_timestamp() - make_interval(days => ${notificationRetentionDays})
        and ${whereMemberMayRead(asMe, 'posts', 'p')} and ${whereNeitherMutedNorRestricted(asMe, sql.ref('p.creator_id'))}
      order by p.created_at desc limit 1
    ) newest
    where m.user_id = ${asMe} and ${whereMemberMayRead(asMe, 'group_members', 'm')}`
  try {
    const { rows } = await sql`${candidates} limit 1`.execute(kysely)
    if (rows.length === 0) return
    await kysely.transaction().execute(async (db) => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db)
      // A concurrent request waits for the lock, checks again and finds nothing.
      await sql`insert into notification_marks (user_id) values (${me}) on conflict do nothing`.execute(db)
      await sql`select from notification_marks where user_id = ${me} for no key update`.execute(db)
      await upsertNotifications(db, candidates, sql`select null::bigint where false`)
    })
  } catch (error) {
    log.warn({ err: error }, 'the rows of large groups were not updated')
  }
}
