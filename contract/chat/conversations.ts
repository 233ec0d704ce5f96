/** One-to-one conversations: opening, listing and reading them. */
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
   * The other participant. If the account is closed or either blocked the other, `visible` is false, and only the last
   * known names and initials are sent.
   */
  other: z.object({ ...personSummarySchema.shape, visible: z.boolean() }),
  /**
   * The start of the newest message that was not unsent. For a message without text, it is `Photo`, `3 photos` or
   * `Post`. Empty if all messages are unsent. Null before the first message.
   */
  lastMessage: z.nullable(z.string()),
  lastMessageTime: z.nullable(fields.isoTimestampSchema),
  lastMessageSender: z.nullable(fields.publicIdSchema),
  /**
   * Whether the other participant sent the last message and the caller has not read it. False if the caller has muted
   * them.
   */
  unread: z.boolean(),
  /**
   * `asking`: the other participant has not answered the caller's first message. `asked`: the caller has not answered.
   * Before the answer, the recipient sees the conversation as a message request, and the sender sees only initials.
   */
  standing: z.enum(['open', 'asking', 'asked']),
  /** How many messages the caller may still send before an answer or acceptance. Null without a limit. */
  left: z.nullable(z.number()),
  /** Whether the caller restricted the other participant. The conversation then stays among the message requests. */
  restricted: z.boolean(),
  /**
   * `block`: the caller has not blocked the other participant yet. `accept`: the caller has not answered a request or a
   * stranger's messages. `addPhotos`: false for a stranger until the other participant answers or accepts.
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
 * Finds or creates the only conversation between two members, even if both call it concurrently. Before the first
 * message, the other participant's privacy settings decide who may write.
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
 * Lists the caller's fifty newest conversations by last message. Leaves out empty conversations, conversations with
 * blocked members, and message requests.
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
 * Marks messages as read, up to a given message or all of them. The mark never moves back. It does not move for blocked
 * participants or message requests.
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

/** Counts conversations with unread messages. */
export const countUnreadConversationsOperation = defineOperation({
  name: 'countUnreadConversations',
  method: 'GET',
  path: '/me/unread-conversations',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  limit: 'read',
})
