/** Asking to join a group, and the admin's answer (spec §4 Group request, §5; reading R-06). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { operation } from './operation.ts'
import { creator } from './people.ts'

export const groupRequest = z.object({
  $id: fields.id,
  $createdAt: fields.instant,
  groupId: fields.id,
  group: z.object({ $id: fields.id, name: z.string() }),
  userId: fields.id,
  user: creator,
  status: z.enum(['pending', 'accepted', 'rejected']),
  requestedAt: fields.instant,
  /** `decide` is the admin's, `withdraw` the requester's, both while it is pending. */
  can: z.object({ decide: z.boolean(), withdraw: z.boolean() }),
})

export type GroupRequest = z.infer<typeof groupRequest>

/** A member, and one who waits already, is refused in the spec's words; after a rejection she may ask again (C-29). */
export const requestToJoin = operation({
  name: 'requestToJoin',
  method: 'POST',
  path: '/groups/:groupId/requests',
  status: 201,
  input: z.object({ groupId: fields.id, userId: fields.actor }),
  output: groupRequest,
  errors: ['group_not_found', 'group_request_pending', 'group_already_member', 'user_unauthorized'],
  limit: 'join-request',
})

/** Takes back a pending request of one's own. */
export const withdrawRequest = operation({
  name: 'withdrawRequest',
  method: 'DELETE',
  path: '/group-requests/:requestId',
  status: 204,
  input: z.object({ requestId: fields.id, userId: fields.actor }),
  output: z.void(),
  errors: ['group_request_not_found', 'group_request_processed', 'user_unauthorized'],
  limit: 'write',
})

const decision = z.object({ requestId: fields.id, currentUserId: fields.actor })

/** For every caller in this order: missing 404, not the admin 403, not pending 409 (reading D-07). */
export const approveRequest = operation({
  name: 'approveRequest',
  method: 'POST',
  path: '/group-requests/:requestId/approve',
  input: decision,
  output: groupRequest,
  errors: [
    'group_request_not_found',
    'group_approve_admin_required',
    'group_request_processed',
    'user_unauthorized',
  ],
  limit: 'write',
})

/** As approving, with its own sentence. */
export const rejectRequest = operation({
  name: 'rejectRequest',
  method: 'POST',
  path: '/group-requests/:requestId/reject',
  input: decision,
  output: groupRequest,
  errors: [
    'group_request_not_found',
    'group_reject_admin_required',
    'group_request_processed',
    'user_unauthorized',
  ],
  limit: 'write',
})

/** The pending requests of the groups she administers, newest first; of one of them with `groupId` (row GREQ-18). */
export const pendingRequests = operation({
  name: 'pendingRequests',
  method: 'GET',
  path: '/group-requests',
  input: z.object({
    groupId: z.optional(fields.id),
    userId: fields.actor,
    cursor: z.optional(fields.id),
    limit: z.optional(fields.pageSize),
  }),
  output: z.object({ documents: z.array(groupRequest), next: z.nullable(fields.id) }),
  errors: ['user_unauthorized', 'general_cursor_not_found'],
  limit: 'read',
})

/** Her latest request, or another person's for the group's admin; null when there is none she may see. */
export const latestRequest = operation({
  name: 'latestRequest',
  method: 'GET',
  path: '/groups/:groupId/requests/latest',
  input: z.object({ groupId: fields.id, userId: z.optional(fields.id) }),
  output: z.object({ request: z.nullable(groupRequest) }),
  errors: ['group_not_found'],
  limit: 'read',
})
