import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  listMessagesOperation,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { messagesPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { type AuthenticatedMember, assertActorIsCaller } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, selectReadableRows, whereMemberMayRead } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { findKeysetCursorRow } from '../../store/pagination.ts'
import { raiseNotFoundSql } from '../../store/write-permission.ts'
import { rateLimitUnansweredMessage } from './conversation-routes.ts'
import { hydrateMessages } from './hydrate-chat.ts'

export function registerMessageRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    sendMessageOperation,
    async ({ conversationId, messageId, senderId, content, photos = [], sharedPostId, replyTo }, ctx) => {
      const { me, store, database } = ctx
      assertActorIsCaller(me, senderId)
      const values = {
        conversation_id: conversationKeyValue(me, conversationId),
        sender_id: me.id,
        content,
        ...(replyTo === undefined ? {} : { reply_to_id: answeredKeyValue(replyTo) }),
        ...(sharedPostId !== undefined && {
          shared_post_id: sharedPostKeyValue(me, sharedPostId),
          shares: true,
        }),
        ...(photos.length > 0 && {
          image_ids: photos.map(({ imageId }) => imageId),
          image_alts: photos.map(({ alt }) => alt),
        }),
      }
      const message = await rateLimitUnansweredMessage(ctx, me, conversationId, () =>
        store.insert(
          me.id,
          'messages',
          messageId === undefined ? values : { ...values, public_id: messageId },
        ),
      )
      if (message.existed) {
        // A retry returns the stored message. A different message with the same id never overwrites it.
        const [before] = await hydrateMessages(database.kysely, me.id, [message.id])
        const same =
          before?.conversationId === conversationId &&
          before.senderId === me.publicId &&
          (before.unsentAt !== null ||
            (before.content === content &&
              before.replyTo?.$id === replyTo &&
              // Losing access to the shared post does not make it a different message.
              (before.shared === null) === (sharedPostId === undefined) &&
              (before.shared === null ||
                'unavailable' in before.shared ||
                before.shared.postId === sharedPostId) &&
              isDeepStrictEqual(
                before.photos.map(({ id }) => id),
                photos.map(({ imageId }) => imageId),
              )))
        return before && same ? before : throwFailure('document_already_exists')
      }
      if (replyTo !== undefined || photos.length > 0 || sharedPostId !== undefined) {
        const [written] = await hydrateMessages(database.kysely, me.id, [message.id])
        return written ?? throwFailure('document_not_found')
      }
      return {
        $id: message.public_id,
        $createdAt: formatIsoTimestamp(message.created_at),
        conversationId,
        senderId: me.publicId,
        content,
        photos: [],
        shared: null,
        type: 'text' as const,
        readBy: [me.publicId],
        replyTo: null,
        reactions: [],
        unsentAt: null,
      }
    },
  )

  registerRoute(app, context, unsendMessageOperation, async ({ messageId }, { me, store, database }) => {
    const { id } = await store.transact((tx) =>
      // Unsending twice keeps the first time.
      tx.update(me.id, 'messages', messageId, { unsent_at: sql`coalesce(unsent_at, clock_timestamp())` }),
    )
    const [message] = await hydrateMessages(database.kysely, me.id, [id])
    return message ?? throwFailure('document_not_found')
  })

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
        .limit(limit + 1)
        .execute()
      const keys = found.slice(0, limit).map((row) => row.id)
      if (after !== undefined) keys.reverse()
      return { documents: await hydrateMessages(db, me.id, keys), more: found.length > limit }
    },
  )
}

/** The error is the same for an unreadable and a missing conversation. */
const conversationKeyValue = (me: AuthenticatedMember, conversationId: string) => sql`coalesce((
  select c.id from conversations c
  where c.public_id = ${conversationId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'conversations', 'c')}), ${raiseNotFoundSql})`

/** The error is the same for an unreadable and a missing post. */
const sharedPostKeyValue = (me: AuthenticatedMember, postId: string) => sql`coalesce((
  select p.id from posts p
  where p.public_id = ${postId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'posts', 'p')}), ${raiseNotFoundSql})`

/** The database gives the same error for messages that are missing, unsent or in another conversation. */
const answeredKeyValue = (messageId: string) =>
  sql`coalesce((select m.id from messages m where m.public_id = ${messageId}), -1)`

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
