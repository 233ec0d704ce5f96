/** One-to-one conversations and their messages. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { messageLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people.ts'

export const conversationSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  $updatedAt: fields.isoTimestampSchema,
  participants: z.array(fields.publicIdSchema),
  type: z.literal('direct'),
  /**
   * The one who is not asking. Where `visible` is false the account is closed or one of the two blocked the other: names as
   * the caller last knew them, initials for a picture, and no profile behind it.
   */
  other: z.object({ ...personSummarySchema.shape, visible: z.boolean() }),
  /** The beginning of the newest message; null before the first. */
  lastMessage: z.nullable(z.string()),
  lastMessageTime: z.nullable(fields.isoTimestampSchema),
  lastMessageSender: z.nullable(fields.publicIdSchema),
  /** The newest message is the other's, whom the caller has not muted, and the caller has not read it. */
  unread: z.boolean(),
  /**
   * `asking`: the other has not answered the caller's first message yet, and sees no more than three; `asked`: the caller has
   * not answered. Until then it is among the message requests of whoever is asked, and the other has initials there.
   */
  standing: z.enum(['open', 'asking', 'asked']),
  /** While `asking`, how many messages the caller may still send; else null. */
  left: z.nullable(z.number()),
  /** Whether the caller has restricted the other, which keeps it among the message requests. */
  restricted: z.boolean(),
  /** `block` until the caller has blocked the other, whether or not the other is visible; `accept` while `asked`. */
  can: z.object({ write: z.boolean(), block: z.boolean(), accept: z.boolean() }),
})

export const messageSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  conversationId: fields.publicIdSchema,
  senderId: fields.publicIdSchema,
  content: z.string(),
  type: z.literal('text'),
  /** The sender first, then the recipient once the message was read. */
  readBy: z.array(fields.publicIdSchema),
})

export type Conversation = z.infer<typeof conversationSchema>
export type Message = z.infer<typeof messageSchema>

const tooLongMessage = `Maximum ${messageLengthLimits.max} characters.`

/** Trimmed before it is counted; what nobody can see is no message. */
export const messageContentSchema = z.string().check(
  fields.coarseMaxLengthCheck(messageLengthLimits.max, tooLongMessage),
  z.trim(),
  z.minLength(messageLengthLimits.min, 'Write a message first.'),
  z.maxLength(messageLengthLimits.max, tooLongMessage),
  z.refine((typed) => typed === '' || fields.isVisibleText(typed), 'Write a message first.'),
  fields.combiningMarksCheck,
)

/**
 * Finds the conversation of two members or makes it: one, however many ask at once and from whichever side. Where nothing was
 * said yet, the other's choice of who may write decides.
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
 * Lists the caller's newest fifty, by last message; those in which nothing was said yet are not among them, nor those with
 * somebody the caller has blocked, nor message requests.
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
 * Newest first: the newest, those before a message (scrolling up), or those right after one (catching up: ask again with
 * the first of the answer until `more` is false).
 */
export const listMessagesOperation = defineOperation({
  name: 'listMessages',
  method: 'GET',
  path: '/conversations/:conversationId/messages',
  input: z
    .object({
      conversationId: fields.publicIdSchema,
      before: z.optional(fields.publicIdSchema),
      after: z.optional(fields.publicIdSchema),
      limit: z.optional(fields.pageSizeSchema),
    })
    .check(z.refine(({ before, after }) => !(before && after), 'Either before or after')),
  output: z.object({
    documents: z.array(messageSchema),
    /** There are further ones in the direction asked for. */
    more: z.boolean(),
  }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * Stores a message once, however often it is sent with the same `messageId`. The same id with another text is refused:
 * answering with the old text would lose the new one.
 */
export const sendMessageOperation = defineOperation({
  name: 'sendMessage',
  method: 'POST',
  path: '/conversations/:conversationId/messages',
  status: 201,
  input: z.object({
    conversationId: fields.publicIdSchema,
    /** Chosen by the client; it becomes the message's `$id`. */
    messageId: z.optional(fields.publicIdSchema),
    content: messageContentSchema,
    type: z.optional(z.literal('text')),
    senderId: fields.actorIdSchema,
  }),
  output: messageSchema,
  errors: [
    'document_not_found',
    'document_already_exists',
    'user_unauthorized',
    'conversation_not_allowed',
    'conversation_waiting',
  ],
  limit: 'message',
})

/** Up to a message, or to the newest; a mark never goes back, and stands still for who has blocked the other and in message requests. */
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

/** How many conversations have a dot. */
export const countUnreadConversationsOperation = defineOperation({
  name: 'countUnreadConversations',
  method: 'GET',
  path: '/me/unread-conversations',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  limit: 'read',
})
