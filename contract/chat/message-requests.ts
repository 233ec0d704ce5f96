/** Message requests: conversations that wait for the caller's answer, and those with members whom the caller has restricted. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { conversationSchema } from './conversations.ts'
import { messageSchema } from './messages.ts'

/** A conversation that waits for its member's answer, or with somebody whom the member has restricted. */
export const messageRequestSchema = z.object({
  conversation: conversationSchema,
  /** Why the caller may know the person: what they have in common. Null where the person is out of sight. */
  why: z.nullable(
    z.object({
      followsMe: z.boolean(),
      /** In how many groups both are. */
      groupsInCommon: z.number(),
      joinedAt: fields.isoTimestampSchema,
    }),
  ),
  /** The person's newest messages, at most three, oldest first: of a request that waits all there are. */
  messages: z.array(messageSchema),
})

export type MessageRequest = z.infer<typeof messageRequestSchema>

/**
 * Lists what waits for the caller's answer and conversations with restricted members, by last message. Declined requests are
 * not among them, nor is whom the caller has blocked. The cursor holds also when its request was answered meanwhile.
 */
export const listMessageRequestsOperation = defineOperation({
  name: 'listMessageRequests',
  method: 'GET',
  path: '/message-requests',
  input: z.object({
    cursor: z.optional(z.string().check(maxTextLength(64))),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({ documents: z.array(messageRequestSchema), next: z.nullable(z.string()) }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** How many wait for an answer. Conversations with restricted members do not count, only whether there are any. */
export const countMessageRequestsOperation = defineOperation({
  name: 'countMessageRequests',
  method: 'GET',
  path: '/me/message-requests/count',
  input: z.object({}),
  output: z.object({ count: z.number(), hasRestricted: z.boolean() }),
  limit: 'read',
})

const decidedRequest = z.object({ conversationId: fields.publicIdSchema })

/** Makes a request an ordinary conversation and lifts the limits of an unanswered stranger. Accepting again answers alike. */
export const acceptMessageRequestOperation = defineOperation({
  name: 'acceptMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/accept',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})

/** Takes a request out of the caller's list. To the asker it stays what it was: not answered. */
export const declineMessageRequestOperation = defineOperation({
  name: 'declineMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/decline',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
