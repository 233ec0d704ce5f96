/** One-to-one conversations and their messages (spec §2 Chat, §3 Conversation and Message, §7 Conversations). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { messageLength } from './limits.ts'
import { operation } from './operation.ts'
import { creator } from './people.ts'

export const conversation = z.object({
  $id: fields.id,
  $createdAt: fields.instant,
  $updatedAt: fields.instant,
  participants: z.array(fields.id),
  type: z.literal('direct'),
  /** The one who is not asking. */
  other: creator,
  /** The beginning of the newest message; null before the first. */
  lastMessage: z.nullable(z.string()),
  lastMessageTime: z.nullable(fields.instant),
  lastMessageSender: z.nullable(fields.id),
  /** The newest message is another's and she has not read it (conflict C-16). */
  unread: z.boolean(),
})

export const message = z.object({
  $id: fields.id,
  $createdAt: fields.instant,
  conversationId: fields.id,
  senderId: fields.id,
  content: z.string(),
  type: z.literal('text'),
  /** The sender first, then the other once she has read this far (reading R-09). */
  readBy: z.array(fields.id),
})

export type Conversation = z.infer<typeof conversation>
export type Message = z.infer<typeof message>

/** Trimmed before it is counted; what nobody can see is no message (reading R-10). */
export const messageContent = z.string().check(
  z.trim(),
  z.minLength(messageLength.min, 'Write a message first.'),
  z.maxLength(messageLength.max, `Maximum ${messageLength.max} characters.`),
  z.refine((typed) => typed === '' || fields.shows(typed), 'Write a message first.'),
  fields.level,
)

/** Finds the conversation of two members or makes it: one, however many ask at once and from whichever side. */
export const openConversation = operation({
  name: 'openConversation',
  method: 'POST',
  path: '/conversations',
  input: z.object({ personId: fields.id, currentUserId: fields.actor }),
  output: conversation,
  errors: ['user_not_found', 'conversation_self_not_allowed', 'user_unauthorized'],
  limit: 'message',
})

/** Her newest fifty by last message. */
export const listConversations = operation({
  name: 'listConversations',
  method: 'GET',
  path: '/conversations',
  input: z.object({ userId: fields.actor }),
  output: z.object({ documents: z.array(conversation) }),
  errors: ['user_unauthorized'],
  limit: 'read',
})

export const getConversation = operation({
  name: 'getConversation',
  method: 'GET',
  path: '/conversations/:conversationId',
  input: z.object({ conversationId: fields.id }),
  output: conversation,
  errors: ['document_not_found'],
  limit: 'read',
})

/**
 * Newest first: the newest, those before a message (scrolling up), or those right after one (catching up: ask again with
 * the first of the answer until `more` is false).
 */
export const listMessages = operation({
  name: 'listMessages',
  method: 'GET',
  path: '/conversations/:conversationId/messages',
  input: z
    .object({
      conversationId: fields.id,
      before: z.optional(fields.id),
      after: z.optional(fields.id),
      limit: z.optional(fields.pageSize),
    })
    .check(z.refine(({ before, after }) => !(before && after), 'Either before or after')),
  output: z.object({
    documents: z.array(message),
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
export const sendMessage = operation({
  name: 'sendMessage',
  method: 'POST',
  path: '/conversations/:conversationId/messages',
  status: 201,
  input: z.object({
    conversationId: fields.id,
    /** Chosen by the client; it becomes the message's `$id`. */
    messageId: z.optional(fields.id),
    content: messageContent,
    type: z.optional(z.literal('text')),
    senderId: fields.actor,
  }),
  output: message,
  errors: ['document_not_found', 'document_already_exists', 'user_unauthorized'],
  limit: 'message',
})

/** Up to a message, or to the newest; a mark never goes back. */
export const markRead = operation({
  name: 'markRead',
  method: 'PUT',
  path: '/conversations/:conversationId/read',
  input: z.object({ conversationId: fields.id, messageId: z.optional(fields.id), userId: fields.actor }),
  output: conversation,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'read',
})

/** How many conversations have a dot (row CHAT-30). */
export const countUnread = operation({
  name: 'countUnread',
  method: 'GET',
  path: '/me/unread-conversations',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  limit: 'read',
})
