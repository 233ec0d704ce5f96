import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  listSecurityEventsOperation,
  type SecurityEventKind,
  securityEventKinds,
} from '#contract/account/account-settings.ts'
import type { AppContext } from '../../app-context.ts'
import { describeUserAgent } from '../../auth/describe-user-agent.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { registerRoute } from '../../route.ts'

const pageSize = 50

type EventRow = { event: SecurityEventKind; ip: string | null; user_agent: string; created_at: Date }

export function registerSecurityLogRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, listSecurityEventsOperation, async ({ cursor }, ctx) => {
    const { caller, database, countries } = ctx
    const [before = null, seen = '0'] = cursor?.split('~') ?? []
    // The cursor is a time and the number of events already listed at that time.
    // Event ids would reveal how many events other accounts have.
    const { rows } = await sql<EventRow>`
      select event, ip, user_agent, created_at from account_events
      where account_id = ${caller.account.id} and created_at > clock_timestamp() - interval '1 year'
        and event = any(${[...securityEventKinds]}::text[])
        and (${before}::timestamptz is null or created_at <= ${before}::timestamptz)
      order by created_at desc, id desc limit ${pageSize + 1} offset ${Number(seen)}`.execute(database.kysely)
    const shown = rows.slice(0, pageSize)
    const last = shown.at(-1)?.created_at
    const listed = shown.filter(({ created_at }) => created_at.getTime() === last?.getTime()).length
    const already = last && before !== null && last.getTime() === Date.parse(before) ? Number(seen) : 0
    return {
      documents: await Promise.all(
        shown.map(async ({ event, ip, user_agent, created_at }) => ({
          event,
          at: formatIsoTimestamp(created_at),
          ...describeUserAgent(user_agent),
          country: await countries.find(ip),
        })),
      ),
      next: last && rows.length > pageSize ? `${last.toISOString()}~${listed + already}` : null,
    }
  })
}
