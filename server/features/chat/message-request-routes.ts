import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import {
  acceptMessageRequestOperation,
  countMessageRequestsOperation,
  declineMessageRequestOperation,
  listMessageRequestsOperation,
} from '#contract/chat/message-requests.ts'
import { listPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberHasAbility, whereMemberMayRead } from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { decodeTimeCursor, encodeCursor } from '../../store/pagination.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { readConversationForCaller } from './conversation-routes.ts'
import { hydrateMessageRequests } from './hydrate-message-requests.ts'

export function registerMessageRequestRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, listMessageRequestsOperation, async ({ cursor, limit = listPageSize }, ctx) => {
    const { me, database, config } = ctx
    const db = database.kysely
    // The request at the cursor may have been answered meanwhile, so the cursor contains only time and id.
    const after = cursor === undefined ? null : decodeTimeCursor(cursor)
    const page = after
      ? sql`and c.updated_at <= ${after.at} and (c.updated_at, c.public_id) < (${after.at}, ${after.id}::public_id)`
      : sql``
    const newest = sql`order by c.updated_at desc, c.public_id desc limit ${limit}`
    const { rows } = await sql<{ id: number; public_id: string; updated_at: Date }>`
      select c.* from (
        (select c.id, c.public_id, c.updated_at ${fromConversationsAsking(me.id)} ${page} ${newest})
        union (select c.id, c.public_id, c.updated_at ${fromConversationsOfRestricted(me.id)} ${page} ${newest})
      ) c ${newest}`.execute(db)
    const keys = rows.map((row) => row.id)
    const last = rows.at(-1)
    return {
      documents: await hydrateMessageRequests(db, config, me.id, keys),
      next: last && rows.length === limit ? encodeCursor(last.public_id, last.updated_at) : null,
    }
  })

  registerRoute(app, context, countMessageRequestsOperation, async (_input, { me, database }) => {
    const restricted = whereMemberHasAbility(memberKeyParameter(me.id), 'isRestricted', 'conversations', 'c')
    const { rows } = await sql<{ count: number; hasRestricted: boolean }>`
      select count(*) filter (where not w.restricted)::int as count, coalesce(bool_or(w.restricted), false) as "hasRestricted"
      from (
        select c.id, ${restricted} as restricted ${fromConversationsAsking(me.id)}
        union select c.id, ${restricted} ${fromConversationsOfRestricted(me.id)}
      ) w`.execute(database.kysely)
    return rows[0] ?? { count: 0, hasRestricted: false }
  })

  registerRoute(app, context, acceptMessageRequestOperation, ({ conversationId }, ctx) =>
    answer(ctx, conversationId, async (tx, { accepts }) => {
      if (accepts)
        await tx.update(ctx.me.id, 'conversations', conversationId, {
          asked_id: null,
          declined_at: null,
          unanswered_by: null,
        })
    }),
  )

  registerRoute(app, context, declineMessageRequestOperation, ({ conversationId }, ctx) =>
    answer(ctx, conversationId, async (tx, { id, asked, declined }) => {
      if (!asked) throwFailure('document_not_found')
      if (declined) return
      await tx.updateAll('conversations', sql`t.id = ${id}`, { declined_at: sql`clock_timestamp()` })
      // The sender is not notified.
      await tx.recordChangeFor('conversations', [id], ctx.me.id)
    }),
  )
}

/** Omits requests in which every message was unsent. The alias is `c` (conversations). */
const fromConversationsAsking = (me: number): RawBuilder<unknown> => sql`
  from conversations c where c.asked_id = ${me} and c.declined_at is null and c.last_message_id is not null
    and exists (select from messages lm where lm.id = c.last_message_id and lm.unsent_at is null offset 0)
    and ${whereMemberMayRead(memberKeyParameter(me), 'conversations', 'c')} and ${isListedAsRequest(me)}`

/** The app lists conversations with restricted members as requests. The alias is `c`. */
const fromConversationsOfRestricted = (me: number): RawBuilder<unknown> => sql`
  from restrictions r join conversations c
    on c.low_id = least(r.restricter_id, r.restricted_id) and c.high_id = greatest(r.restricter_id, r.restricted_id)
  where r.restricter_id = ${me} and c.last_message_id is not null
    and ${whereMemberMayRead(memberKeyParameter(me), 'conversations', 'c')} and ${isListedAsRequest(me)}`

const isListedAsRequest = (me: number) =>
  whereMemberHasAbility(memberKeyParameter(me), 'listAsRequest', 'conversations', 'c')

type Waiting = { id: number; asked: boolean; accepts: boolean; declined: boolean }

/** Holds the lock that sending a message takes, so that an answer and a message do not overlap. */
async function answer(
  ctx: RequestContext,
  conversationId: string,
  work: (tx: StoreTransaction, waiting: Waiting) => Promise<void>,
) {
  const { me, store } = ctx
  const meParam = memberKeyParameter(me.id)
  const key = await store.transact(async (tx) => {
    await tx.lock('conversations', conversationId)
    const { rows } = await sql<Waiting & { answered: boolean }>`
      select c.id, c.asked_id is null as answered, c.declined_at is not null as declined,
        ${whereMemberHasAbility(meParam, 'answer', 'conversations', 'c')} as asked,
        ${whereMemberHasAbility(meParam, 'accept', 'conversations', 'c')} as accepts
      from conversations c
      where c.public_id = ${conversationId} and ${whereMemberMayRead(meParam, 'conversations', 'c')}`.execute(
      tx.db,
    )
    const [waiting] = rows
    if (!waiting || !(waiting.asked || waiting.answered)) return throwFailure('document_not_found')
    await work(tx, waiting)
    return waiting.id
  })
  return readConversationForCaller(ctx, key)
}
