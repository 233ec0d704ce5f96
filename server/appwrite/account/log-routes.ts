import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import { registerRoute } from '#server/route.ts'
import { toAppwriteLog } from '../build-response-models.ts'
import { isListTotalRequested } from '../queries/queries-parameter.ts'
import { createAppwriteParametersReader } from '../request-parameters.ts'
import { parsePagingQueries } from './in-memory-list-queries.ts'

const shownFor = sql<Date>`clock_timestamp() - interval '90 days'`

export function registerAppwriteLogRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account/logs',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(z.looseObject({})),
    },
    async (query, { caller }) => {
      const { limit, offset } = parsePagingQueries(query)
      const ownEvents = db
        .selectFrom('account_events')
        .where('account_id', '=', caller.account.id)
        .where('created_at', '>', shownFor)
      const events = await ownEvents.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
      const { count } = await ownEvents
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return {
        total: isListTotalRequested(query) ? count : 0,
        logs: await Promise.all(
          events.map(async (event) =>
            toAppwriteLog(event, caller.account, await context.countries.find(event.ip)),
          ),
        ),
      }
    },
  )
}
