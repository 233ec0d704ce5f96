/** After a block, neither member can see the other. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxGroupRemovalsPerBlock } from '../limits.ts'
import { defineOperation } from '../operation.ts'

export const memberBlockSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  /** The names at the time of the block. Later names stay hidden. */
  person: z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() }),
  /** If true, newer accounts that sign in from a browser of the blocked member are blocked too. */
  newerAccounts: z.boolean(),
  conversationId: z.nullable(fields.publicIdSchema),
  groupsInCommon: z.number(),
})

export type MemberBlock = z.infer<typeof memberBlockSchema>

const blockedPerson = z.object({ personId: fields.publicIdSchema })

export const previewBlockOperation = defineOperation({
  name: 'previewBlock',
  method: 'GET',
  path: '/people/:personId/block',
  input: blockedPerson,
  output: z.object({
    groups: z.array(
      z.object({ $id: fields.publicIdSchema, name: z.string(), admin: z.nullable(z.enum(['me', 'other'])) }),
    ),
    conversationId: z.nullable(fields.publicIdSchema),
    following: z.boolean(),
    followsMe: z.boolean(),
  }),
  errors: ['user_not_found', 'block_self_not_allowed'],
  limit: 'read',
})

/**
 * Ends both follows, without a notification. If the two have a conversation, the caller can also block a person who is
 * no longer visible.
 */
export const blockMemberOperation = defineOperation({
  name: 'blockMember',
  method: 'PUT',
  path: '/people/:personId/block',
  input: z.object({
    personId: fields.publicIdSchema,
    /** The caller must be the admin of these groups. */
    removeFrom: z.optional(z.array(fields.publicIdSchema).check(z.maxLength(maxGroupRemovalsPerBlock))),
  }),
  output: z.object({ blocked: z.literal(true), blockId: fields.publicIdSchema }),
  errors: ['user_not_found', 'block_self_not_allowed', 'group_not_found', 'user_unauthorized'],
  limit: 'block',
})

/** Does not restore follows. */
export const unblockMemberOperation = defineOperation({
  name: 'unblockMember',
  method: 'DELETE',
  path: '/people/:personId/block',
  input: blockedPerson,
  output: z.object({ blocked: z.literal(false) }),
  limit: 'block',
})

/** Lists blocks newest first. */
export const listBlocksOperation = defineOperation({
  name: 'listBlocks',
  method: 'GET',
  path: '/me/blocks',
  input: z.object({ cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }),
  output: z.object({ documents: z.array(memberBlockSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

export const setBlockNewerAccountsOperation = defineOperation({
  name: 'setBlockNewerAccounts',
  method: 'PATCH',
  path: '/me/blocks/:blockId',
  input: z.object({ blockId: fields.publicIdSchema, newerAccounts: z.boolean() }),
  output: memberBlockSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
