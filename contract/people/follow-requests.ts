/** `follow` creates a request to a private account, and `unfollow` withdraws it. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { personSummarySchema } from './people.ts'

export const followRequestSchema = z.object({
  /** If the request is approved, the follow keeps this id. */
  $id: fields.publicIdSchema,
  requestedAt: fields.isoTimestampSchema,
  person: personSummarySchema,
  /** These facts help the caller recognise the person. */
  why: z.object({
    following: z.boolean(),
    groupsInCommon: z.number(),
    /** Null if the person joined more than a week ago. */
    joinedAt: z.nullable(fields.isoTimestampSchema),
  }),
})

export type FollowRequest = z.infer<typeof followRequestSchema>

/** Lists requests newest first. A cursor stays valid after its request is answered. */
export const listFollowRequestsOperation = defineOperation({
  name: 'listFollowRequests',
  method: 'GET',
  path: '/me/follow-requests',
  input: z.object({
    cursor: z.optional(z.string().check(maxTextLength(64))),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(followRequestSchema),
    next: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

export const countFollowRequestsOperation = defineOperation({
  name: 'countFollowRequests',
  method: 'GET',
  path: '/me/follow-requests/count',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  limit: 'read',
})

const decidedRequest = z.object({ requestId: fields.publicIdSchema })

export const approveFollowRequestOperation = defineOperation({
  name: 'approveFollowRequest',
  method: 'POST',
  path: '/me/follow-requests/:requestId/approve',
  input: decidedRequest,
  output: z.object({ followsMe: z.literal(true) }),
  errors: ['follow_request_not_found'],
  limit: 'write',
})

/** Notifies nobody. For 30 days, the person still sees a pending request, and asking again has no effect. */
export const declineFollowRequestOperation = defineOperation({
  name: 'declineFollowRequest',
  method: 'POST',
  path: '/me/follow-requests/:requestId/decline',
  input: decidedRequest,
  output: z.object({ followsMe: z.literal(false) }),
  errors: ['follow_request_not_found'],
  limit: 'write',
})
