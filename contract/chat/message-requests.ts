/** Message requests: conversations waiting for the caller's answer, and those with restricted members. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { conversationSchema } from './conversations.ts'
import { messageSchema } from './messages.ts'

/** A conversation waiting for an answer, or with a restricted member. */
export const messageRequestSchema = z.object({
  conversation: conversationSchema,
  /** What the caller and the sender have in common; null if the sender is not visible. */
  why: z.nullable(
    z.object({
      followsMe: z.boolean(),
      /** Groups that both belong to. */
      groupsInCommon: z.number(),
      joinedAt: fields.isoTimestampSchema,
    }),
  ),
  /** The sender's newest messages, at most three, oldest first: all of them while the request waits. */
  messages: z.array(messageSchema),
})

export type MessageRequest = z.infer<typeof messageRequestSchema>

/**
 * Lists message requests and conversations with restricted members, by last message. Leaves out declined
 * requests and blocked members. The cursor stays valid after its request is answered.
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

/** Counts requests waiting for an answer. For restricted members it only tells whether there are any. */
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

/** Removes a request from the caller's list. The sender sees it as unanswered. */
export const declineMessageRequestOperation = defineOperation({
  name: 'declineMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/decline',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
