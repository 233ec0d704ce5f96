/** A member can invite one person at a time. Operators can also create reusable links. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

const invitationCodeSchema = z.string().check(minTextLength(1), maxTextLength(64))

/** The response is the same for unknown, used, revoked and expired invitations. */
export const getInvitationOperation = defineOperation({
  name: 'getInvitation',
  method: 'GET',
  path: '/invitations/:code',
  who: 'visitor',
  input: z.object({ code: invitationCodeSchema }),
  output: z.object({
    inviter: z.object({ name: z.string() }),
    /**
     * `membersAtLeast` is rounded down to 0, 10, 25, 50, 100, 250 and so on. An exact total would drop when a
     * member closes the account, but not when a member blocks the visitor.
     */
    community: z.object({ name: z.string(), membersAtLeast: z.number() }),
    expiresAt: fields.isoTimestampSchema,
  }),
  errors: ['invitation_over'],
  limit: 'sign-in',
})

export const invitationSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['open', 'used', 'ended']),
  /** Guests are counted but not named. */
  reusable: z.boolean(),
  uses: z.number(),
  createdAt: fields.isoTimestampSchema,
  /** Null unless the invitation is open. */
  code: z.nullable(z.string()),
  at: fields.isoTimestampSchema,
  guest: z.nullable(personSummarySchema),
})
export type Invitation = z.infer<typeof invitationSchema>

/** Lists invitations newest first: open, used, or ended in the last year. */
export const listInvitationsOperation = defineOperation({
  name: 'listInvitations',
  method: 'GET',
  path: '/me/invitations',
  input: z.object({}),
  output: z.object({ documents: z.array(invitationSchema), canInvite: z.boolean() }),
  limit: 'read',
})

/** Creating a reusable invitation requires an operator and re-authentication. */
export const createInvitationOperation = defineOperation({
  name: 'createInvitation',
  method: 'POST',
  path: '/me/invitations',
  status: 201,
  input: z.object({ reusable: z.optional(z.boolean()) }),
  output: invitationSchema,
  errors: ['invitation_limit', 'operator_invitation_limit', 'user_unauthorized', 'user_challenge_required'],
  limit: 'invite',
})

export const revokeInvitationOperation = defineOperation({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: '/me/invitations/:invitationId',
  status: 204,
  input: z.object({ invitationId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['document_not_found'],
  limit: 'write',
})
