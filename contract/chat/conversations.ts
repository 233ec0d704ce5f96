import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'

export const conversationSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  $updatedAt: fields.isoTimestampSchema,
  participants: z.array(fields.publicIdSchema),
  type: z.literal('direct'),
  /**
   * `visible` is false for a closed account or after a block: only the last known names and initials are
   * sent.
   */
  other: z.object({ ...personSummarySchema.shape, visible: z.boolean() }),
  /**
   * The start of the newest message, or `Photo`, `3 photos` or `Post`. Empty if all messages are unsent, null
   * before the first.
   */
  lastMessage: z.nullable(z.string()),
  lastMessageTime: z.nullable(fields.isoTimestampSchema),
  lastMessageSender: z.nullable(fields.publicIdSchema),
  /** Always false if the caller muted the other participant. */
  unread: z.boolean(),
  /**
   * `asking`: the caller waits for the first answer. `asked`: the caller has not answered yet. In both
   * states, the recipient sees a message request, and the sender sees only initials.
   */
  standing: z.enum(['open', 'asking', 'asked']),
  /** The number of messages that the caller may send before the recipient replies. Null without a limit. */
  left: z.nullable(z.number()),
  /**
   * True if the caller restricted the other participant. The conversation then stays among the message
   * requests.
   */
  restricted: z.boolean(),
  /**
   * `accept`: the caller has not answered a request or a stranger's messages. `addPhotos`: false for a
   * stranger until the other participant answers or accepts.
   */
  can: z.object({
    write: z.boolean(),
    addPhotos: z.boolean(),
    block: z.boolean(),
    accept: z.boolean(),
  }),
})

export type Conversation = z.infer<typeof conversationSchema>

/**
 * Concurrent calls find the same conversation. The other participant's privacy settings decide who may write
 * first.
 */
export const openConversationOperation = defineOperation({
  name: 'openConversation',
  method: 'POST',
  path: '/conversations',
  input: z.object({ personId: fields.publicIdSchema, currentUserId: fields.actorIdSchema }),
  output: conversationSchema,
  errors: [
    'user_not_found',
    'conversation_self_not_allowed',
    'user_unauthorized',
    'conversation_not_allowed',
  ],
  limit: 'message',
})

/**
 * Lists the fifty conversations with the newest messages, without empty ones, blocked members and message
 * requests.
 */
export const listConversationsOperation = defineOperation({
  name: 'listConversations',
  method: 'GET',
  path: '/conversations',
  input: z.object({ userId: fields.actorIdSchema }),
  output: z.object({ documents: z.array(conversationSchema) }),
  errors: ['user_unauthorized'],
  limit: 'read',
})

export const getConversationOperation = defineOperation({
  name: 'getConversation',
  method: 'GET',
  path: '/conversations/:conversationId',
  input: z.object({ conversationId: fields.publicIdSchema }),
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'read',
})

/**
 * Marks all messages by default. The mark never moves back. It does not move for blocked participants or
 * message requests.
 */
export const markConversationReadOperation = defineOperation({
  name: 'markConversationRead',
  method: 'PUT',
  path: '/conversations/:conversationId/read',
  input: z.object({
    conversationId: fields.publicIdSchema,
    messageId: z.optional(fields.publicIdSchema),
    userId: fields.actorIdSchema,
  }),
  output: conversationSchema,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'read',
})

export const countUnreadConversationsOperation = defineOperation({
  name: 'countUnreadConversations',
  method: 'GET',
  path: '/me/unread-conversations',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  limit: 'read',
})
