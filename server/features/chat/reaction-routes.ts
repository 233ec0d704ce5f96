/** Each member has one reaction per message. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Message, ReactionEmoji } from '#contract/chat/messages.ts'
import { reactOperation, unreactOperation } from '#contract/chat/reactions.ts'
import type { AppContext } from '../../app-context.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, whereMemberMayWrite } from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { hydrateMessages } from './hydrate-chat.ts'

export function registerReactionRoutes(app: FastifyInstance, context: AppContext): void {
  const react = async (
    messageId: string,
    emoji: ReactionEmoji | null,
    { me, store, database }: RequestContext,
  ): Promise<Message> => {
    const key = await store.autocommit((tx) => setReaction(tx, me.id, messageId, emoji))
    const [message] = await hydrateMessages(database.kysely, me.id, [key])
    return message ?? throwFailure('document_not_found')
  }
  registerRoute(app, context, reactOperation, ({ messageId, emoji }, ctx) => react(messageId, emoji, ctx))
  registerRoute(app, context, unreactOperation, ({ messageId }, ctx) => react(messageId, null, ctx))
}

/**
 * Unsending takes the same lock, so that an unsent message keeps no reaction.
 * @param emoji null removes the reaction
 * @returns the message's key
 * @throws Failure document_not_found if the member cannot react
 */
export async function setReaction(
  tx: StoreTransaction,
  me: number,
  messageId: string,
  emoji: ReactionEmoji | null,
): Promise<number> {
  const meParam = memberKeyParameter(me)
  const change =
    emoji === null
      ? sql`delete from message_reactions r using message
          where r.message_id = message.id and r.user_id = ${meParam} returning r.message_id`
      : sql`insert into message_reactions as r (message_id, user_id, emoji) select id, ${meParam}, ${emoji} from message
          on conflict (message_id, user_id) do update set emoji = excluded.emoji where r.emoji <> excluded.emoji
          returning message_id`
  const message = await tx.recordChangeIn(
    'messages',
    sql`message as materialized (
        select m.* from messages m
          cross join lateral (select m.id as message_id, ${meParam} as user_id) as reaction
        where m.public_id = ${messageId} and m.unsent_at is null
          and ${whereMemberMayWrite(meParam, emoji === null ? 'delete' : 'create', 'message_reactions', 'reaction')}
        for no key update of m
      ), changed as (${change}), written as (select message.* from message join changed on changed.message_id = message.id)`,
    sql<{ id: number }>`message.id from message`,
  )
  return message?.id ?? throwFailure('document_not_found')
}
