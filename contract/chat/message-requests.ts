import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { conversationSchema } from './conversations.ts'
import { messageSchema } from './messages.ts'

/**
 * A conversation that a stranger started and the caller has not answered, or one with a member whom the caller
 * restricted.
 */
export const messageRequestSchema = z.object({
  conversation: conversationSchema,
  /** These facts help the caller decide. Null if the sender is not visible. */
  why: z.nullable(
    z.object({
      followsMe: z.boolean(),
      groupsInCommon: z.number(),
      joinedAt: fields.isoTimestampSchema,
    }),
  ),
  /** The newest three messages, oldest first. While the request waits, these are all of them. */
  messages: z.array(messageSchema),
})

export type MessageRequest = z.infer<typeof messageRequestSchema>

/**
 * Lists requests by their last message, without declined requests and blocked members. A cursor stays valid
 * after its request is answered.
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

/** Counts the requests. For restricted members, it only shows whether there are any. */
export const countMessageRequestsOperation = defineOperation({
  name: 'countMessageRequests',
  method: 'GET',
  path: '/me/message-requests/count',
  input: z.object({}),
  output: z.object({ count: z.number(), hasRestricted: z.boolean() }),
  limit: 'read',
})

const decidedRequest = z.object({ conversationId: fields.publicIdSchema })

/** Accepts the request, and lifts the limits for strangers. Idempotent. */
export const acceptMessageRequestOperation = defineOperation({
  name: 'acceptMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/accept',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})

/** To the sender, the request still looks unanswered. */
export const declineMessageRequestOperation = defineOperation({
  name: 'declineMessageRequest',
  method: 'POST',
  path: '/conversations/:conversationId/decline',
  input: decidedRequest,
  output: conversationSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
