/** Follow requests: asking to follow a private account, and its member's answer. `follow` makes one, `unfollow` withdraws it. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { personSummarySchema } from './people.ts'

export const followRequestSchema = z.object({
  /** The follow that comes of it has it too. */
  $id: fields.publicIdSchema,
  requestedAt: fields.isoTimestampSchema,
  person: personSummarySchema,
  /** What the caller may recognise the person by. */
  why: z.object({
    /** Whether the caller follows the person. */
    following: z.boolean(),
    /** In how many groups both are. */
    groupsInCommon: z.number(),
    /** When the person joined, in the first week; null afterwards. */
    joinedAt: z.nullable(fields.isoTimestampSchema),
  }),
})

export type FollowRequest = z.infer<typeof followRequestSchema>

/** Lists who asks to follow the caller, newest first. The cursor holds also when its request was answered meanwhile. */
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

/** Lets the person who asks follow the caller. */
export const approveFollowRequestOperation = defineOperation({
  name: 'approveFollowRequest',
  method: 'POST',
  path: '/me/follow-requests/:requestId/approve',
  input: decidedRequest,
  output: z.object({ followsMe: z.literal(true) }),
  errors: ['follow_request_not_found'],
  limit: 'write',
})

/** Refuses silently: for 30 days the person goes on seeing a request, and asking anew reaches nobody. */
export const declineFollowRequestOperation = defineOperation({
  name: 'declineFollowRequest',
  method: 'POST',
  path: '/me/follow-requests/:requestId/decline',
  input: decidedRequest,
  output: z.object({ followsMe: z.literal(false) }),
  errors: ['follow_request_not_found'],
  limit: 'write',
})
