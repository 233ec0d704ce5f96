/** The account's log is the only record of earlier exports. */
import { sql } from 'kysely'
import type { AccountExports } from '#contract/data-export/account-export.ts'
import { maxEarlierExports } from '#contract/data-export/export-limits.ts'
import { describeUserAgent } from '../../auth/describe-user-agent.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { RequestContext } from '../../route.ts'
import { whereExportNotExpired } from './export-lifecycle.ts'

type AskedRow = { created_at: Date; user_agent: string | null }

/** Omits the newest log entry while the member's export exists. */
export async function listEarlierExports({
  caller,
  database,
}: RequestContext): Promise<AccountExports['earlier']> {
  const account = caller.account.id
  const { rows } = await sql<AskedRow>`
    select asked.created_at, opened.user_agent
    from (
      select id, created_at, lead(id) over (order by id) as next_id from account_events
      where account_id = ${account} and event = 'export.create' and created_at > clock_timestamp() - interval '1 year'
    ) asked
    left join lateral (
      select o.user_agent from account_events o
      where o.account_id = ${account} and o.event = 'export.open' and o.id > asked.id
        and (asked.next_id is null or o.id < asked.next_id)
      order by o.id desc limit 1
    ) opened on true
    where asked.next_id is not null
      or not exists (select from exports e where e.account_id = ${account} and ${whereExportNotExpired})
    order by asked.id desc limit ${maxEarlierExports}`.execute(database.kysely)
  return rows.map(({ created_at, user_agent }) => ({
    askedAt: formatIsoTimestamp(created_at),
    downloadedWith: user_agent === null ? null : describeUserAgent(user_agent),
  }))
}
