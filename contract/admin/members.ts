import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxModerationReasonLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

export const adminMemberFilters = ['all', 'suspended', 'moderators', 'operators', 'closing'] as const

/** `closing`: the account is scheduled for erasure. `closed`: the member closed it temporarily. */
const memberState = z.enum(['open', 'suspended', 'closing', 'closed'])

const adminMember = {
  $id: fields.publicIdSchema,
  name: z.string(),
  username: z.string(),
  email: z.nullable(z.string()),
  joinedOn: z.string(),
  activeOn: z.nullable(z.string()),
  state: memberState,
  moderates: z.boolean(),
  operates: z.boolean(),
}
const adminMemberSummarySchema = z.object(adminMember)
export type AdminMemberSummary = z.infer<typeof adminMemberSummarySchema>

const adminMemberSchema = z.object({
  ...adminMember,
  emailVerified: z.boolean(),
  suspension: z.nullable(
    z.object({
      reason: z.string(),
      since: fields.isoTimestampSchema,
      /** Null for a permanent suspension. */
      until: z.nullable(fields.isoTimestampSchema),
    }),
  ),
  /**
   * True if the suspension waits for a second person's confirmation. False for proposals hidden from the
   * caller.
   */
  proposed: z.boolean(),
  /** Bytes of original photos. */
  storage: z.array(
    z.object({
      purpose: z.enum(['post', 'user', 'group', 'message', 'none']),
      files: z.number(),
      bytes: z.number(),
    }),
  ),
  signInMethods: z.object({
    password: z.boolean(),
    passkeys: z.number(),
    twoSteps: z.boolean(),
    phone: z.boolean(),
    providers: z.array(z.string()),
  }),
  sessions: z.number(),
  can: z.object({
    moderate: z.boolean(),
    suspend: z.boolean(),
    /** False for current and recent moderators and operators: a suspension is then only a proposal. */
    suspendAlone: z.boolean(),
    reopen: z.boolean(),
    recover: z.boolean(),
    signOut: z.boolean(),
  }),
})
export type AdminMember = z.infer<typeof adminMemberSchema>

const notFound = ['user_not_found'] as const
const oneMember = z.object({ memberId: fields.publicIdSchema })

/** Lists the newest members first. The term matches part of a name or username, or a whole email address. */
export const listAdminMembersOperation = defineOperation({
  name: 'listAdminMembers',
  method: 'GET',
  path: '/admin/members',
  who: 'operator',
  input: z.object({
    term: z.optional(z.string().check(maxTextLength(256))),
    filter: z.optional(z.enum(adminMemberFilters)),
    cursor: z.optional(fields.publicIdSchema),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(adminMemberSummarySchema),
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

export const getAdminMemberOperation = defineOperation({
  name: 'getAdminMember',
  method: 'GET',
  path: '/admin/members/:memberId',
  who: 'operator',
  input: oneMember,
  output: adminMemberSchema,
  errors: notFound,
  limit: 'read',
})

export const setModeratorOperation = defineOperation({
  name: 'setModerator',
  method: 'PUT',
  path: '/admin/members/:memberId/moderator',
  who: 'operator',
  input: z.object({ ...oneMember.shape, moderates: z.boolean() }),
  output: adminMemberSchema,
  errors: [...notFound, 'admin_account_closed'],
  limit: 'write',
})

/** Suspends a member, who can appeal. For a moderator or operator, only proposes the suspension. */
export const suspendMemberOperation = defineOperation({
  name: 'suspendMember',
  method: 'POST',
  path: '/admin/members/:memberId/suspension',
  who: 'operator',
  input: z.object({
    ...oneMember.shape,
    /** The affected member reads this text. */
    text: z
      .string()
      .check(
        z.trim(),
        minTextLength(1, 'This field is required'),
        maxTextLength(maxModerationReasonLength, `Maximum ${maxModerationReasonLength} characters.`),
        fields.combiningMarksCheck,
      ),
    /** Null means permanent. */
    days: z.nullable(z.union([z.literal(1), z.literal(3), z.literal(7), z.literal(30)])),
  }),
  output: adminMemberSchema,
  errors: [...notFound, 'admin_own_account', 'admin_case_interest', 'admin_account_suspended'],
  limit: 'write',
})

export const endSuspensionOperation = defineOperation({
  name: 'endSuspension',
  method: 'DELETE',
  path: '/admin/members/:memberId/suspension',
  status: 200,
  who: 'operator',
  input: oneMember,
  output: adminMemberSchema,
  errors: [...notFound, 'admin_account_not_suspended', 'admin_command_required'],
  limit: 'write',
})

/**
 * With this link, the member can choose a password once, within an hour. Refused for moderators and
 * operators.
 */
export const createRecoveryLinkOperation = defineOperation({
  name: 'createRecoveryLink',
  method: 'POST',
  path: '/admin/members/:memberId/recovery-link',
  status: 201,
  who: 'operator',
  input: oneMember,
  output: z.object({ link: z.string() }),
  errors: [...notFound, 'admin_account_closed', 'admin_account_without_email', 'admin_command_required'],
  limit: 'write',
})

export const signMemberOutOperation = defineOperation({
  name: 'signMemberOut',
  method: 'DELETE',
  path: '/admin/members/:memberId/sessions',
  status: 204,
  who: 'operator',
  input: oneMember,
  output: z.void(),
  errors: [...notFound],
  limit: 'write',
})
