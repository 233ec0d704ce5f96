/** What a member did with her account, shown to her alone (platform reference §5.5, §6 Log). */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Parts } from '../parts.ts'
import { serveAccountCall } from './account-calls.ts'
import { pageOf } from './account-paging.ts'
import { logModel } from './models.ts'
import { wantsTotal } from './query-parameters.ts'

/** How long she can look back (security reference §2.3). */
const shownFor = sql<Date>`clock_timestamp() - interval '90 days'`

export function accountEventCalls(app: FastifyInstance, parts: Parts): void {
  const db = parts.database.kysely

  serveAccountCall(app, parts, {
    method: 'GET',
    paths: ['/logs'],
    who: 'signed-in',
    limit: 'read',
    status: 200,
    input: z.looseObject({}),
    async answer(query, { caller }) {
      const { limit, offset } = pageOf(query)
      const hers = db
        .selectFrom('account_events')
        .where('account_id', '=', caller.account.id)
        .where('created_at', '>', shownFor)
      const events = await hers.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
      const { count } = await hers
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return {
        total: wantsTotal(query) ? count : 0,
        logs: events.map((event) => logModel(event, caller.account)),
      }
    },
  })
}
