import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'

export const joinRequestSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  groupId: fields.publicIdSchema,
  group: z.object({ $id: fields.publicIdSchema, name: z.string() }),
  userId: fields.publicIdSchema,
  user: personSummarySchema,
  status: z.enum(['pending', 'accepted', 'rejected']),
  requestedAt: fields.isoTimestampSchema,
  /** Both abilities exist only while the request is pending. */
  can: z.object({ decide: z.boolean(), withdraw: z.boolean() }),
})

export type JoinRequest = z.infer<typeof joinRequestSchema>

/** Fails for members and while a request is pending. After a rejection, a person may ask again. */
export const requestToJoinOperation = defineOperation({
  name: 'requestToJoin',
  method: 'POST',
  path: '/groups/:groupId/requests',
  status: 201,
  input: z.object({ groupId: fields.publicIdSchema, userId: fields.actorIdSchema }),
  output: joinRequestSchema,
  errors: ['group_not_found', 'group_request_pending', 'group_already_member', 'user_unauthorized'],
  limit: 'join-request',
})

export const withdrawJoinRequestOperation = defineOperation({
  name: 'withdrawJoinRequest',
  method: 'DELETE',
  path: '/group-requests/:requestId',
  status: 204,
  input: z.object({ requestId: fields.publicIdSchema, userId: fields.actorIdSchema }),
  output: z.void(),
  errors: ['group_request_not_found', 'group_request_processed', 'user_unauthorized'],
  limit: 'write',
})

const decision = z.object({ requestId: fields.publicIdSchema, currentUserId: fields.actorIdSchema })

/**
 * Errors are checked in this order: 404 without a request, 403 unless the caller is the admin, 409 if the
 * request is not pending.
 */
export const approveJoinRequestOperation = defineOperation({
  name: 'approveJoinRequest',
  method: 'POST',
  path: '/group-requests/:requestId/approve',
  input: decision,
  output: joinRequestSchema,
  errors: [
    'group_request_not_found',
    'group_approve_admin_required',
    'group_request_processed',
    'user_unauthorized',
  ],
  limit: 'write',
})

export const rejectJoinRequestOperation = defineOperation({
  name: 'rejectJoinRequest',
  method: 'POST',
  path: '/group-requests/:requestId/reject',
  input: decision,
  output: joinRequestSchema,
  errors: [
    'group_request_not_found',
    'group_reject_admin_required',
    'group_request_processed',
    'user_unauthorized',
  ],
  limit: 'write',
})

/** Newest first, to all of the caller's groups or one. */
export const listPendingJoinRequestsOperation = defineOperation({
  name: 'listPendingJoinRequests',
  method: 'GET',
  path: '/group-requests',
  input: z.object({
    groupId: z.optional(fields.publicIdSchema),
    userId: fields.actorIdSchema,
    cursor: z.optional(fields.publicIdSchema),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({ documents: z.array(joinRequestSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** A group's admin can read another person's request. Null if no request is visible. */
export const getLatestJoinRequestOperation = defineOperation({
  name: 'getLatestJoinRequest',
  method: 'GET',
  path: '/groups/:groupId/requests/latest',
  input: z.object({ groupId: fields.publicIdSchema, userId: z.optional(fields.publicIdSchema) }),
  output: z.object({ request: z.nullable(joinRequestSchema) }),
  errors: ['group_not_found'],
  limit: 'read',
})
