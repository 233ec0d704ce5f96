/**
 * Brings the rows of large groups up to date when their member opens the list: a post in a group of thousands is not written to
 * each of them, and does not ring.
 */
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'
import { memberKeyParameter, whereMemberMayRead } from '../policy.ts'
import { whereNoticed } from '../views/mute-filter.ts'
import { candidateColumns, maxRingingGroupMembers } from './notification-candidates.ts'
import { upsertNotifications } from './write-notifications.ts'

/** How far back posts are looked for, which is how long notifications are kept. */
const keptDays = 90

/** Writes a row for each large group of the member in which others posted since its row was brought up to date. */
export async function refreshLargeGroupNotifications({ kysely }: Database, me: number): Promise<void> {
  const asMe = memberKeyParameter(me)
  const candidates = sql`
    select ${candidateColumns({
      user_id: 'm.user_id',
      kind: 'group-post',
      subject: `'group:' || m.group_id`,
      actor_id: 'null',
      at: 'newest.created_at',
      refs: { group_id: 'm.group_id' },
    })}
    from group_members m join groups g on g.id = m.group_id and g.member_count > ${maxRingingGroupMembers}
    left join notifications n on n.user_id = m.user_id and n.kind = 'group-post' and n.subject = 'group:' || m.group_id
    cross join lateral (
      select p.created_at from posts p
      where p.group_id = m.group_id and p.creator_id <> ${asMe} and p.created_at > coalesce(n.last_at, m.created_at)
        and p.created_at > clock_timestamp() - make_interval(days => ${keptDays})
        and ${whereMemberMayRead(asMe, 'posts', 'p')} and ${whereNoticed(asMe, sql.ref('p.creator_id'))}
      order by p.created_at desc limit 1
    ) newest
    where m.user_id = ${asMe} and ${whereMemberMayRead(asMe, 'group_members', 'm')}`
  const { rows } = await sql`${candidates} limit 1`.execute(kysely)
  if (rows.length === 0) return
  await kysely.transaction().execute((db) => upsertNotifications(db, candidates))
}
