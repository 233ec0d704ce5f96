/** Conversations: the one two members have, the list, and how far each has read (spec §2 Chat, §7 Conversations). */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  type Conversation,
  countUnread,
  getConversation,
  listConversations,
  markRead as markReadOperation,
  openConversation,
} from '#contract/chat.ts'
import { conversationsSize } from '#contract/limits.ts'
import type { Tables } from '../database/schema.ts'
import { asFailure, fail } from '../errors.ts'
import { type Asking, actsAsHerself, serve } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { asMe, mayRead, visible } from '../policy.ts'
import type { Member } from '../session.ts'
import { createSharedWork } from '../shared-work.ts'
import type { Store, Writing } from '../store.ts'
import { hydrateConversations } from '../views-chat.ts'

/** What counting needs to know of a request. */
export type Counting = Pick<Asking, 'database' | 'limits' | 'request' | 'reply'>

export function chatOperations(app: FastifyInstance, parts: Parts): void {
  const beginning = createSharedWork<number>()

  serve(app, parts, openConversation, async ({ personId, currentUserId }, asking) => {
    const { me, database, store } = asking
    actsAsHerself(me, currentUserId)
    const { id, conversation } = (await pairWith(database.kysely, me, personId)) ?? fail('user_not_found')
    if (id === me.id) fail('conversation_self_not_allowed')
    const key =
      conversation ??
      // Asked for ten times at once it is begun once, and counted once.
      (await beginning(`${me.id} ${id}`, async () => {
        await countConversation(asking, me, personId)
        return pair(store, me.id, id)
      }))
    return showConversation(asking, key)
  })

  serve(app, parts, listConversations, async ({ userId }, { me, database, config }) => {
    actsAsHerself(me, userId)
    const asking = asMe(me.id)
    // Each side has its index by time; an `or` over both would read and sort all her conversations.
    const newestAs = (side: 'low_id' | 'high_id') => sql`(
      select c.id, c.updated_at from conversations c
      where c.${sql.ref(side)} = ${asking} and ${mayRead(asking, 'conversations', 'c')}
      order by c.updated_at desc, c.id desc limit ${conversationsSize})`
    const { rows } = await sql<{ id: number }>`
      select id from (${newestAs('low_id')} union all ${newestAs('high_id')}) mine
      order by updated_at desc, id desc limit ${conversationsSize}`.execute(database.kysely)
    const keys = rows.map((row) => row.id)
    return { documents: await hydrateConversations(database.kysely, config, me.id, keys) }
  })

  serve(app, parts, getConversation, async ({ conversationId }, asking) => {
    const { me, database } = asking
    const found = await visible(database.kysely, asMe(me.id), 'conversations')
      .select('id')
      .where('public_id', '=', conversationId)
      .executeTakeFirst()
    return found ? showConversation(asking, found.id) : fail('document_not_found')
  })

  serve(app, parts, markReadOperation, async ({ conversationId, messageId, userId }, asking) => {
    const { me, database, store } = asking
    actsAsHerself(me, userId)
    const { rows } = await sql<{ id: number; message: number | null }>`
      select c.id, m.id as message from conversations c
      left join messages m on m.conversation_id = c.id and m.public_id = ${messageId ?? null}
      where c.public_id = ${conversationId} and ${mayRead(asMe(me.id), 'conversations', 'c')}`.execute(
      database.kysely,
    )
    const [found] = rows
    if (!found) return fail('document_not_found')
    if (messageId !== undefined && found.message === null) fail('document_not_found', { field: 'messageId' })
    await store.transact((writing) => markRead(writing, me.id, found.id, found.message ?? undefined))
    return showConversation(asking, found.id)
  })

  serve(app, parts, countUnread, async (_input, { me, database }) => {
    const unreadAs = (side: 'low' | 'high') => sql`(
      select count(*) from conversations c
      where c.${sql.ref(`${side}_id`)} = ${me.id} and c.last_message_id > c.${sql.ref(`${side}_read_id`)})`
    const { rows } = await sql<{ count: number }>`
      select ${unreadAs('low')} + ${unreadAs('high')} as count`.execute(database.kysely)
    return { count: rows[0]?.count ?? 0 }
  })
}

/** Somebody, and the conversation a member has with her. */
async function pairWith(db: Kysely<Tables>, me: Member, personId: string) {
  const { rows } = await sql<{ id: number; conversation: number | null }>`
    select u.id, c.id as conversation from users u
    left join conversations c on c.low_id = least(u.id, ${me.id}) and c.high_id = greatest(u.id, ${me.id})
    where u.public_id = ${personId} and ${mayRead(asMe(me.id), 'users', 'u')}`.execute(db)
  return rows[0]
}

/**
 * Counts a conversation that she does not have yet: opening one she has begins nothing (reading D-03).
 * @throws Failure 429
 */
export async function countConversation(asking: Counting, me: Member, personId: string): Promise<void> {
  const { database, limits, request, reply } = asking
  const found = await pairWith(database.kysely, me, personId)
  if (found?.conversation === null && found.id !== me.id) await limits.count(request, reply, 'conversation')
}

/**
 * Counts a message to somebody who has never written in the conversation: after twenty a day she waits for an answer
 * (security reference §5.1). Whether there was one is asked only when they are used up.
 * @throws Failure 429
 */
export async function countUnanswered(asking: Counting, me: Member, conversationId: string): Promise<void> {
  const { database, limits, request, reply } = asking
  const subject = `${conversationId} ${me.publicId}`
  const count = () => limits.count(request, reply, 'unanswered', { subject })
  await count().catch(async (refusal: unknown) => {
    if (asFailure(refusal)?.status !== 429) throw refusal
    if (!(await hasAnswered(database.kysely, me, conversationId))) throw refusal
    await limits.forgive('unanswered', subject)
    await count()
  })
}

async function hasAnswered(db: Kysely<Tables>, me: Member, conversationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages m join conversations c on c.id = m.conversation_id
    where c.public_id = ${conversationId} and ${mayRead(asMe(me.id), 'conversations', 'c')} and m.sender_id <> ${me.id}
    limit 1`.execute(db)
  return rows.length > 0
}

/** One row for two members, whoever asks first and from whichever side. */
async function pair(store: Store, me: number, other: number): Promise<number> {
  const values = { low_id: Math.min(me, other), high_id: Math.max(me, other) }
  return (await store.insert(me, 'conversations', values)).id
}

/**
 * Moves a member's mark up to a message, or to the newest, and tells both sides: the reader's other screens lose their
 * dot, the sender's message its single check. A mark never goes back (reading R-09).
 * @param message the key of a message of this conversation
 * @returns whether the mark moved
 * @throws Failure document_not_found when she is no participant
 */
export async function markRead(
  writing: Writing,
  me: number,
  conversation: number,
  message?: number,
): Promise<boolean> {
  const mark = sql`case c.low_id when ${asMe(me)} then c.low_read_id else c.high_read_id end`
  const { rows } = await sql<{
    public_id: string
    side: 'low' | 'high'
    target: number | null
    moves: boolean
  }>`
    select c.public_id, case c.low_id when ${asMe(me)} then 'low' else 'high' end as side, m.id as target,
      coalesce(m.id > ${mark}, false) as moves
    from conversations c
    left join messages m on m.id = coalesce(${message ?? null}::bigint, c.last_message_id) and m.conversation_id = c.id
    where c.id = ${conversation} and ${mayRead(asMe(me), 'conversations', 'c')}`.execute(writing.db)
  const [found] = rows
  if (!found) return fail('document_not_found')
  const { public_id, side, target, moves } = found
  if (!moves || target === null) return false
  const column = `${side}_read_id`
  // The greater of both: another screen may have read further since the question above.
  const further = sql`greatest(${sql.ref(column)}, ${target}::bigint)`
  await writing.update(me, 'conversations', public_id, { [column]: further })
  await writing.tell('messages', target)
  return true
}

async function showConversation({ me, database, config }: Asking, key: number): Promise<Conversation> {
  const [conversation] = await hydrateConversations(database.kysely, config, me.id, [key])
  return conversation ?? fail('document_not_found')
}
