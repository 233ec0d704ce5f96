/** Serves messages: sending one exactly once, and paging back through a conversation. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/conversations.ts'
import { messagesPageSize } from '#contract/limits.ts'
import type { AppContext } from '../app-context.ts'
import { type AuthenticatedMember, assertActor } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { findKeysetCursorRow } from '../pagination.ts'
import { memberKeyParameter, selectReadableRows, whereMemberMayRead } from '../policy.ts'
import { registerRoute } from '../route.ts'
import { sqlRefuseNotFound } from '../store/store.ts'
import { hydrateMessages } from '../views/chat.ts'
import { formatIsoTimestamp } from '../views/iso-timestamp.ts'
import { rateLimitUnansweredMessage } from './conversations.ts'

export function registerMessageRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    sendMessageOperation,
    async ({ conversationId, messageId, senderId, content }, ctx) => {
      const { me, store, database } = ctx
      assertActor(me, senderId)
      await rateLimitUnansweredMessage(ctx, me, conversationId)
      const values = { conversation_id: conversationKeyValue(me, conversationId), sender_id: me.id, content }
      const message = await store.insert(
        me.id,
        'messages',
        messageId === undefined ? values : { ...values, public_id: messageId },
      )
      if (message.existed) {
        // A retry answers with what is stored; another message under this id is never overwritten.
        const [before] = await hydrateMessages(database.kysely, [message.id])
        const same = before?.conversationId === conversationId && before.content === content
        return before && same ? before : throwFailure('document_already_exists')
      }
      return {
        $id: message.public_id,
        $createdAt: formatIsoTimestamp(message.created_at),
        conversationId,
        senderId: me.publicId,
        content,
        type: 'text' as const,
        readBy: [me.publicId],
      }
    },
  )

  registerRoute(
    app,
    context,
    listMessagesOperation,
    async ({ conversationId, before, after, limit = messagesPageSize }, ctx) => {
      const { me, database } = ctx
      const db = database.kysely
      const conversation = await conversationKey(db, me, conversationId)
      const cursor = before ?? after
      const position = cursor === undefined ? null : await findKeysetCursorRow(db, me, 'messages', cursor)
      const found = await selectReadableRows(db, memberKeyParameter(me.id), 'messages')
        .select('id')
        .where('conversation_id', '=', conversation)
        .$if(position !== null, (query) =>
          query.where('id', after === undefined ? '<' : '>', position?.rowId ?? 0),
        )
        .orderBy('id', after === undefined ? 'desc' : 'asc')
        // One more than asked tells whether there are more.
        .limit(limit + 1)
        .execute()
      const keys = found.slice(0, limit).map((row) => row.id)
      if (after !== undefined) keys.reverse()
      return { documents: await hydrateMessages(db, keys), more: found.length > limit }
    },
  )
}

/** Writes the key of a conversation of the caller as a value; refused alike for one of others and for none. */
const conversationKeyValue = (me: AuthenticatedMember, conversationId: string) => sql`coalesce((
  select c.id from conversations c
  where c.public_id = ${conversationId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'conversations', 'c')}), ${sqlRefuseNotFound})`

/** Finds a conversation of the caller. @throws Failure document_not_found, alike for one of others and for none */
async function conversationKey(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  conversationId: string,
): Promise<number> {
  const found = await selectReadableRows(db, memberKeyParameter(me.id), 'conversations')
    .select('id')
    .where('public_id', '=', conversationId)
    .executeTakeFirst()
  return found?.id ?? throwFailure('document_not_found')
}
