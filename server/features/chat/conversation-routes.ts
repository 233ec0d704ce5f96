import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  type Conversation,
  countUnreadConversationsOperation,
  getConversationOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { maxListedConversations } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { type AuthenticatedMember, assertActorIsCaller } from '../../auth/session.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure, toFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectReadableRows,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import type { TransactionalStore } from '../../store/store.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { whereNotMuted } from '../people/mute-filter.ts'
import { hydrateConversations } from './hydrate-chat.ts'

export type RateLimitContext = Pick<RequestContext, 'database' | 'limits' | 'request' | 'reply'>

export function registerConversationRoutes(app: FastifyInstance, context: AppContext): void {
  const openOnce = createSingleFlight<number>()

  registerRoute(app, context, openConversationOperation, async ({ personId, currentUserId }, ctx) => {
    const { me, database, store } = ctx
    assertActorIsCaller(me, currentUserId)
    const { id, conversation, admits } =
      (await findPersonAndConversation(database.kysely, me, personId)) ?? throwFailure('user_not_found')
    if (id === me.id) throwFailure('conversation_self_not_allowed')
    if (!admits) throwFailure('conversation_not_allowed')
    const key =
      conversation ??
      // One of several concurrent requests opens the conversation, and the limit counts it once.
      (await openOnce(`${me.id} ${id}`, async () => {
        await rateLimitNewConversation(ctx, me, personId)
        return openConversationRow(store, me.id, id)
      }))
    return readConversationForCaller(ctx, key)
  })

  registerRoute(app, context, listConversationsOperation, async ({ userId }, { me, database, config }) => {
    assertActorIsCaller(me, userId)
    const meParam = memberKeyParameter(me.id)
    // An `or` of both sides would read and sort all of the caller's conversations.
    // Empty conversations are omitted: the other participant must not learn that somebody opened one.
    const newestAs = (side: 'low_id' | 'high_id') => sql`(
      select c.id, c.updated_at from conversations c
      where c.${sql.ref(side)} = ${meParam} and c.last_message_id is not null and ${whereMemberMayRead(meParam, 'conversations', 'c')}
        and ${whereMemberHasAbility(meParam, 'list', 'conversations', 'c')}
      order by c.updated_at desc, c.id desc limit ${maxListedConversations})`
    const { rows } = await sql<{ id: number }>`
      select id from (${newestAs('low_id')} union all ${newestAs('high_id')}) mine
      order by updated_at desc, id desc limit ${maxListedConversations}`.execute(database.kysely)
    const keys = rows.map((row) => row.id)
    return { documents: await hydrateConversations(database.kysely, config, me.id, keys) }
  })

  registerRoute(app, context, getConversationOperation, async ({ conversationId }, ctx) => {
    const { me, database } = ctx
    const found = await selectReadableRows(database.kysely, memberKeyParameter(me.id), 'conversations')
      .select('id')
      .where('public_id', '=', conversationId)
      .executeTakeFirst()
    return found ? readConversationForCaller(ctx, found.id) : throwFailure('document_not_found')
  })

  registerRoute(
    app,
    context,
    markConversationReadOperation,
    async ({ conversationId, messageId, userId }, ctx) => {
      const { me, database, store } = ctx
      assertActorIsCaller(me, userId)
      const { rows } = await sql<{ id: number; message: number | null }>`
      select c.id, m.id as message from conversations c
      left join messages m on m.conversation_id = c.id and m.public_id = ${messageId ?? null}
      where c.public_id = ${conversationId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'conversations', 'c')}`.execute(
        database.kysely,
      )
      const [found] = rows
      if (!found) return throwFailure('document_not_found')
      if (messageId !== undefined && found.message === null)
        throwFailure('document_not_found', { field: 'messageId' })
      await store.transact((tx) => markConversationRead(tx, me.id, found.id, found.message ?? undefined))
      return readConversationForCaller(ctx, found.id)
    },
  )

  registerRoute(app, context, countUnreadConversationsOperation, async (_input, { me, database }) => {
    return { count: await countUnreadConversations(database.kysely, me.id) }
  })
}

export async function countUnreadConversations(db: Kysely<DatabaseTables>, me: number): Promise<number> {
  const unreadAs = (side: 'low' | 'high', other: 'high_id' | 'low_id') => sql`(
    select count(*) from conversations c
    where c.${sql.ref(`${side}_id`)} = ${me} and ${whereMemberMayRead(memberKeyParameter(me), 'conversations', 'c')}
      and c.last_message_id > c.${sql.ref(`${side}_read_id`)}
      and ${whereMemberHasAbility(memberKeyParameter(me), 'list', 'conversations', 'c')}
      and ${whereNotMuted(me, sql.ref(`c.${other}`))})`
  const { rows } = await sql<{ count: number }>`
    select ${unreadAs('low', 'high_id')} + ${unreadAs('high', 'low_id')} as count`.execute(db)
  return rows[0]?.count ?? 0
}

async function findPersonAndConversation(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  personId: string,
) {
  const { rows } = await sql<{ id: number; conversation: number | null; admits: boolean }>`
    select u.id, case when ${whereMemberHasAbility(memberKeyParameter(me.id), 'find', 'conversations', 'c')} then c.id end as conversation,
      ${whereMemberHasAbility(memberKeyParameter(me.id), 'beWrittenTo', 'users', 'u')} as admits
    from users u
    left join conversations c on c.low_id = least(u.id, ${me.id}) and c.high_id = greatest(u.id, ${me.id})
    where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}`.execute(
    db,
  )
  return rows[0]
}

/**
 * @throws Failure 429; conversation_not_allowed if the other participant accepts no messages from new people
 */
export async function rateLimitNewConversation(
  ctx: RateLimitContext,
  me: AuthenticatedMember,
  personId: string,
): Promise<void> {
  const { database, limits, request, reply } = ctx
  const found = await findPersonAndConversation(database.kysely, me, personId)
  if (!found || found.id === me.id) return
  if (!found.admits) throwFailure('conversation_not_allowed')
  if (found.conversation === null) await limits.consume(request, reply, 'conversation')
}

/**
 * Allows twenty a day to a recipient who has never answered. Looks for an answer only when the limit is
 * reached. Messages to other members' conversations do not count.
 * @throws Failure 429, and errors of `send`
 */
export async function rateLimitUnansweredMessage<T>(
  ctx: RateLimitContext,
  me: AuthenticatedMember,
  conversationId: string,
  send: () => Promise<T>,
): Promise<T> {
  const { database, limits, request, reply } = ctx
  const subject = `${conversationId} ${me.publicId}`
  const count = () => limits.consume(request, reply, 'unanswered', { subject })
  await count().catch(async (refusal: unknown) => {
    if (toFailure(refusal)?.status !== 429) throw refusal
    if (!(await hasAnswered(database.kysely, me, conversationId))) throw refusal
    await limits.reset('unanswered', subject)
    await count()
  })
  try {
    return await send()
  } catch (error) {
    const isOwn = await selectReadableRows(database.kysely, memberKeyParameter(me.id), 'conversations')
      .select('id')
      .where('public_id', '=', conversationId)
      .executeTakeFirst()
    if (!isOwn) await limits.reset('unanswered', subject)
    throw error
  }
}

async function hasAnswered(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  conversationId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from messages m join conversations c on c.id = m.conversation_id
    where c.public_id = ${conversationId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'conversations', 'c')} and m.sender_id <> ${me.id}
    limit 1`.execute(db)
  return rows.length > 0
}

async function openConversationRow(store: TransactionalStore, me: number, other: number): Promise<number> {
  const values = { low_id: Math.min(me, other), high_id: Math.max(me, other) }
  return (await store.insert(me, 'conversations', values)).id
}

/**
 * Notifies the sender only if both participants show read receipts, because even an empty event would reveal
 * the time.
 * A member who reads without receipts keeps the old mark.
 * @param message the key of a message of this conversation
 * @returns whether the mark moved
 * @throws Failure document_not_found for non-participants
 */
export async function markConversationRead(
  tx: StoreTransaction,
  me: number,
  conversation: number,
  message?: number,
): Promise<boolean> {
  const mark = sql`case c.low_id when ${memberKeyParameter(me)} then c.low_read_id else c.high_read_id end`
  const { rows } = await sql<{
    public_id: string
    side: 'low' | 'high'
    target: number | null
    moves: boolean
    notifies: boolean
  }>`
    select c.public_id, case c.low_id when ${memberKeyParameter(me)} then 'low' else 'high' end as side, m.id as target,
      coalesce(m.id > ${mark} and ${whereMemberHasAbility(memberKeyParameter(me), 'markRead', 'conversations', 'c')}, false) as moves,
      ${whereMemberHasAbility(memberKeyParameter(me), 'showReadMarks', 'conversations', 'c')} as notifies
    from conversations c
    left join messages m on m.id = coalesce(${message ?? null}::bigint, c.last_message_id) and m.conversation_id = c.id
    where c.id = ${conversation} and ${whereMemberMayRead(memberKeyParameter(me), 'conversations', 'c')}`.execute(
    tx.db,
  )
  const [found] = rows
  if (!found) return throwFailure('document_not_found')
  const { public_id, side, target, moves, notifies } = found
  if (!moves || target === null) return false
  const column = `${side}_read_id`
  // Another device may have read further meanwhile.
  const furthestRead = sql`greatest(${sql.ref(column)}, ${target}::bigint)`
  if (!notifies) {
    const own = sql`t.id = ${conversation} and ${whereMemberMayRead(memberKeyParameter(me), 'conversations', 't')}`
    await tx.updateAll('conversations', own, { [column]: furthestRead })
    await tx.recordChangeFor('conversations', [conversation], me)
    await tx.recordChangeFor('messages', [target], me)
    return true
  }
  await tx.update(me, 'conversations', public_id, { [column]: furthestRead })
  await tx.recordChange('messages', target)
  return true
}

export async function readConversationForCaller(
  { me, database, config }: RequestContext,
  key: number,
): Promise<Conversation> {
  const [conversation] = await hydrateConversations(database.kysely, config, me.id, [key])
  return conversation ?? throwFailure('document_not_found')
}
