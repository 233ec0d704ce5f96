/** An index on every message would slow sending. A search therefore reads a limited number of messages. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { maxFoundMessages, searchMessagesOperation } from '#contract/chat/message-search.ts'
import { maxListedConversations } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { sqlUnpreparedStatementComment, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberHasAbility, whereMemberMayRead } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { findKeysetCursorRow } from '../../store/pagination.ts'
import { hydrateConversations, hydrateMessages } from './hydrate-chat.ts'

/** The number of messages that one call reads: in a single conversation, and in each of many. */
const windowOfOne = 5000
const windowOfEach = 500

export function registerMessageSearchRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    searchMessagesOperation,
    async ({ term, conversationId, before }, { me, lists, config }) =>
      lists(me.id, async (db) => {
        const position = before === undefined ? null : await findKeysetCursorRow(db, me, 'messages', before)
        const searched = await findSearchedConversations(db, me.id, conversationId)
        const each = conversationId === undefined ? windowOfEach : windowOfOne
        const { found, next } = await findMessages(db, searched, term, each, position?.rowId ?? null)
        const messages = await hydrateMessages(
          db,
          me.id,
          found.map(({ id }) => id),
        )
        const keys = [...new Set(found.map(({ conversation_id }) => conversation_id))]
        const conversations = await hydrateConversations(db, config, me.id, keys)
        const byId = new Map(conversations.map((conversation) => [conversation.$id, conversation]))
        return {
          documents: messages.flatMap((message) => {
            const conversation = byId.get(message.conversationId)
            return conversation ? [{ message, conversation }] : []
          }),
          next,
        }
      }),
  )
}

async function findSearchedConversations(
  db: Kysely<DatabaseTables>,
  me: number,
  conversationId: string | undefined,
): Promise<number[]> {
  const meParam = memberKeyParameter(me)
  const mine = whereMemberMayRead(meParam, 'conversations', 'c')
  const newestAs = (side: 'low_id' | 'high_id') => sql`(
    select c.id, c.updated_at from conversations c
    where c.${sql.ref(side)} = ${meParam} and c.last_message_id is not null and ${mine}
      and ${whereMemberHasAbility(meParam, 'list', 'conversations', 'c')}
    order by c.updated_at desc, c.id desc limit ${maxListedConversations})`
  const from: RawBuilder<{ id: number }> =
    conversationId === undefined
      ? sql`select id from (${newestAs('low_id')} union all ${newestAs('high_id')}) listed
          order by updated_at desc, id desc limit ${maxListedConversations}`
      : sql`select c.id from conversations c where c.public_id = ${conversationId} and ${mine}`
  const { rows } = await from.execute(db)
  if (conversationId !== undefined && rows.length === 0) throwFailure('document_not_found')
  return rows.map(({ id }) => id)
}

type FoundMessage = { id: number; conversation_id: number }

/**
 * The search ends at the same position in all conversations, so that pages stay newest first.
 * @param conversations keys that the caller may read
 */
async function findMessages(
  db: Kysely<DatabaseTables>,
  conversations: readonly number[],
  term: string,
  each: number,
  before: number | null,
): Promise<{ found: FoundMessage[]; next: string | null }> {
  const looked = sql`select m.id, m.conversation_id, m.content_folded, m.unsent_at,
      count(*) over (partition by m.conversation_id) = ${sql.lit(each)} as goes_on
    from unnest(${conversations}::bigint[]) as searched (id), lateral (
      select * from messages where conversation_id = searched.id and (${before}::bigint is null or id < ${before}::bigint)
      order by id desc limit ${sql.lit(each)}) m`
  const { rows } = await sql<{
    found: FoundMessage[] | null
    ended: number | null
  }>`${sqlUnpreparedStatementComment}
    with looked as materialized (${looked}),
      ended as (select max(first) as id from (
        select min(id) as first from looked where goes_on group by conversation_id) windows),
      found as (
        select id, conversation_id from looked where unsent_at is null and ${whereTextContains(sql.ref('content_folded'), term)}
          and id >= coalesce((select id from ended), 0)
        order by id desc limit ${sql.lit(maxFoundMessages + 1)})
    select (select jsonb_agg(found order by id desc) from found) as found, (select id from ended) as ended`.execute(
    db,
  )
  const all = rows[0]?.found ?? []
  const found = all.slice(0, maxFoundMessages)
  const last = all.length > maxFoundMessages ? found.at(-1)?.id : rows[0]?.ended
  if (last === null || last === undefined) return { found, next: null }
  const cursor = await sql<{ public_id: string }>`select public_id from messages where id = ${last}`.execute(
    db,
  )
  return { found, next: cursor.rows[0]?.public_id ?? null }
}
