/** Messages: sending one, once, and reading back through a conversation (spec §4 Sending a message, §7). */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listMessages, sendMessage } from '#contract/chat.ts'
import { messagesPageSize } from '#contract/limits.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { actsAsHerself, serve } from '../operations.ts'
import { keysetAfter } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, mayRead, visible } from '../policy.ts'
import type { Member } from '../session.ts'
import { missing } from '../store.ts'
import { toInstant } from '../views.ts'
import { hydrateMessages } from '../views-chat.ts'
import { countUnanswered } from './chat.ts'

export function messageOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, sendMessage, async ({ conversationId, messageId, senderId, content }, asking) => {
    const { me, store, database } = asking
    actsAsHerself(me, senderId)
    await countUnanswered(asking, me, conversationId)
    const values = { conversation_id: keyOf(me, conversationId), sender_id: me.id, content }
    const stored = await store.insert(
      me.id,
      'messages',
      messageId === undefined ? values : { ...values, public_id: messageId },
    )
    if (stored.existed) {
      // A retry answers with what is stored; another message under this id is not hers to overwrite.
      const [before] = await hydrateMessages(database.kysely, [stored.id])
      const same = before?.conversationId === conversationId && before.content === content
      return before && same ? before : fail('document_already_exists')
    }
    return {
      $id: stored.public_id,
      $createdAt: toInstant(stored.created_at),
      conversationId,
      senderId: me.publicId,
      content,
      type: 'text' as const,
      readBy: [me.publicId],
    }
  })

  serve(
    app,
    parts,
    listMessages,
    async ({ conversationId, before, after, limit = messagesPageSize }, asking) => {
      const { me, database } = asking
      const db = database.kysely
      const talk = await openedBy(db, me, conversationId)
      const cursor = before ?? after
      const place = cursor === undefined ? null : await keysetAfter(db, me, 'messages', cursor)
      const found = await visible(db, asMe(me.id), 'messages')
        .select('id')
        .where('conversation_id', '=', talk)
        .$if(place !== null, (query) => query.where('id', after === undefined ? '<' : '>', place?.rowId ?? 0))
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

/** The key of a conversation she takes part in, as a value; refused the same for one of others and for none. */
const keyOf = (me: Member, conversationId: string) => sql`coalesce((
  select c.id from conversations c
  where c.public_id = ${conversationId} and ${mayRead(asMe(me.id), 'conversations', 'c')}), ${missing})`

/** @throws Failure document_not_found, the same for a conversation of others and for none */
async function openedBy(db: Kysely<Tables>, me: Member, conversationId: string): Promise<number> {
  const found = await visible(db, asMe(me.id), 'conversations')
    .select('id')
    .where('public_id', '=', conversationId)
    .executeTakeFirst()
  return found?.id ?? fail('document_not_found')
}
