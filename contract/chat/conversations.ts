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
   * The one who is not asking. Where `visible` is false the account is closed or one of the two blocked the other: names as
   * the caller last knew them, initials for a picture, and no profile behind it.
   */
  other: z.object({ ...personSummarySchema.shape, visible: z.boolean() }),
  /**
   * The beginning of the newest message that is not unsent, or `Photo`, `3 photos`, `Post` of one without words; empty where all are unsent,
   * null before the first.
   */
  lastMessage: z.nullable(z.string()),
  lastMessageTime: z.nullable(fields.isoTimestampSchema),
  lastMessageSender: z.nullable(fields.publicIdSchema),
  /** That message is the other's, whom the caller has not muted, and the caller has not read it. */
  unread: z.boolean(),
  /**
   * `asking`: the other has not answered the caller's first message yet, and sees no more than three; `asked`: the caller has
   * not answered. Until then it is among the message requests of whoever is asked, and the other has initials there.
   */
  standing: z.enum(['open', 'asking', 'asked']),
  /** How many messages the caller may still send until the other answers or accepts; null where nothing limits them. */
  left: z.nullable(z.number()),
  /** Whether the caller has restricted the other, which keeps it among the message requests. */
  restricted: z.boolean(),
  /**
   * `block` until the caller has blocked the other, whether or not the other is visible; `accept` while `asked`
   * or a stranger's messages are unanswered; `addPhotos` unless the caller is a stranger to the other, until the other answers or accepts.
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
