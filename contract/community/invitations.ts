/** Invitations: a member lets one person in, an operator also several by one link. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

const invitationCodeSchema = z.string().check(minTextLength(1), maxTextLength(64))

/** What a visitor reads who follows an invitation. Unknown, used, ended and old ones are answered alike. */
export const getInvitationOperation = defineOperation({
  name: 'getInvitation',
  method: 'GET',
  path: '/invitations/:code',
  who: 'visitor',
  input: z.object({ code: invitationCodeSchema }),
  output: z.object({
    inviter: z.object({ name: z.string() }),
    /** `membersAtLeast` is rounded down, to 0, 10, 25, 50, 100, 250 …: an exact total tells a closed account from a block. */
    community: z.object({ name: z.string(), membersAtLeast: z.number() }),
    expiresAt: fields.isoTimestampSchema,
  }),
  errors: ['invitation_over'],
  limit: 'sign-in',
})

export const invitationSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['open', 'used', 'ended']),
  /** Lets in several people, who are counted and not named. */
  reusable: z.boolean(),
  /** How many people joined with a reusable one. */
  uses: z.number(),
  createdAt: fields.isoTimestampSchema,
  /** Of an open one: what its address ends in. */
  code: z.nullable(z.string()),
  /** Until when it is open, or when it was used or ended. */
  at: fields.isoTimestampSchema,
  /** Who came, while the caller may see that member. */
  guest: z.nullable(personSummarySchema),
})
export type Invitation = z.infer<typeof invitationSchema>

/** The caller's, newest first: those that are open, who came, and what ended in the last year. */
export const listInvitationsOperation = defineOperation({
  name: 'listInvitations',
  method: 'GET',
  path: '/me/invitations',
  input: z.object({}),
  output: z.object({ documents: z.array(invitationSchema), canInvite: z.boolean() }),
  limit: 'read',
})

/** Creates an invitation for one person and seven days; an operator may ask for a reusable one, for thirty days. */
export const createInvitationOperation = defineOperation({
  name: 'createInvitation',
  method: 'POST',
  path: '/me/invitations',
  status: 201,
  input: z.object({ reusable: z.optional(z.boolean()) }),
  output: invitationSchema,
  errors: ['invitation_limit', 'operator_invitation_limit', 'user_unauthorized'],
  limit: 'invite',
})

/** Ends an open one at once; of one that is over it changes nothing. */
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
