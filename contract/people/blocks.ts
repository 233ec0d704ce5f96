/** Blocks: neither member can see the other. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxGroupRemovalsPerBlock } from '../limits.ts'
import { defineOperation } from '../operation.ts'

export const memberBlockSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  /** The blocked member's names when blocked; later names stay hidden. */
  person: z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() }),
  /** Whether the block covers newer accounts that sign in from the blocked member's browser. */
  newerAccounts: z.boolean(),
  /** The conversation of the two, missing from the caller's list. */
  conversationId: z.nullable(fields.publicIdSchema),
  /** Groups that both belong to. */
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
    /** Groups that both belong to. */
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
 * Blocks a person: ends both follows and hides each from the other, without notice. Idempotent. Also works on
 * a person no longer visible, if the two have a conversation.
 */
export const blockMemberOperation = defineOperation({
  name: 'blockMember',
  method: 'PUT',
  path: '/people/:personId/block',
  input: z.object({
    personId: fields.publicIdSchema,
    /** Groups administered by the caller from which to remove the person first. */
    removeFrom: z.optional(z.array(fields.publicIdSchema).check(z.maxLength(maxGroupRemovalsPerBlock))),
  }),
  output: z.object({ blocked: z.literal(true), blockId: fields.publicIdSchema }),
  errors: ['user_not_found', 'block_self_not_allowed', 'group_not_found', 'user_unauthorized'],
  limit: 'block',
})

/** Removes the caller's block; follows do not return. Idempotent. */
export const unblockMemberOperation = defineOperation({
  name: 'unblockMember',
  method: 'DELETE',
  path: '/people/:personId/block',
  input: blockedPerson,
  output: z.object({ blocked: z.literal(false) }),
  limit: 'block',
})

/** Lists the caller's blocks, newest first. The cursor is the last block's id. */
export const listBlocksOperation = defineOperation({
  name: 'listBlocks',
  method: 'GET',
  path: '/me/blocks',
  input: z.object({ cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }),
  output: z.object({ documents: z.array(memberBlockSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** Chooses whether the block covers the person's newer accounts. */
export const setBlockNewerAccountsOperation = defineOperation({
  name: 'setBlockNewerAccounts',
  method: 'PATCH',
  path: '/me/blocks/:blockId',
  input: z.object({ blockId: fields.publicIdSchema, newerAccounts: z.boolean() }),
  output: memberBlockSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
