/** Message requests: conversations that wait for the caller's answer, and conversations with restricted members. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { conversationSchema } from './conversations.ts'
import { messageSchema } from './messages.ts'

/** A conversation that waits for an answer or is with a restricted member. */
export const messageRequestSchema = z.object({
  conversation: conversationSchema,
  /** Facts about the sender that help the caller decide. Null if the sender is not visible. */
  why: z.nullable(
    z.object({
      followsMe: z.boolean(),
      /** The number of groups that both belong to. */
      groupsInCommon: z.number(),
      joinedAt: fields.isoTimestampSchema,
    }),
  ),
  /**
   * The sender's newest messages, oldest first. There are at most three, which are all messages while the request
   * waits.
   */
  messages: z.array(messageSchema),
})

export type MessageRequest = z.infer<typeof messageRequestSchema>

/**
 * Lists message requests and conversations with restricted members, by last message. Leaves out declined requests and
 * blocked members. A cursor stays valid after the request at the cursor is answered.
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

/** Counts requests that wait for an answer. For restricted members, it only shows whether there are any. */
export const countMessageRequestsOperation = defineOperation({
  name: 'countMessageRequests',
  method: 'GET',
  path: '/me/message-requests/count',
  input: z.object({}),
  output: z.object({ count: z.number(), hasRestricted: z.boolean() }),
  limit: 'read',
})

const decidedRequest = z.object({ conversationId: fields.publicIdSchema })

/** Turns a request into an ordinary conversation and lifts the limits for strangers. Idempotent. */
export const acceptMessageRequestOperation = defineOperation({
  name: 'acceptMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/accept',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})

/** Removes a request from the caller's list. To the sender, it still looks unanswered. */
export const declineMessageRequestOperation = defineOperation({
  name: 'declineMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/decline',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
