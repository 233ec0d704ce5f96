/** Blocks: two members who see nothing of each other, because one of them said so. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxGroupRemovalsPerBlock } from '../limits.ts'
import { defineOperation } from '../operation.ts'

export const memberBlockSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  /** The blocked member, by the names of that moment: later ones are not told. */
  person: z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() }),
  /** Accounts made later that sign in from a browser of the blocked member's are kept out of sight too. */
  newerAccounts: z.boolean(),
  /** The conversation of the two, which the list of conversations leaves out for the caller. */
  conversationId: z.nullable(fields.publicIdSchema),
  /** In how many groups both are. */
  groupsInCommon: z.number(),
})

export type MemberBlock = z.infer<typeof memberBlockSchema>

const blockedPerson = z.object({ personId: fields.publicIdSchema })

/** What a block of this person would mean, for the question before it. */
export const previewBlockOperation = defineOperation({
  name: 'previewBlock',
  method: 'GET',
  path: '/people/:personId/block',
  input: blockedPerson,
  output: z.object({
    /** The groups both are in. */
    groups: z.array(
      z.object({ $id: fields.publicIdSchema, name: z.string(), admin: z.nullable(z.enum(['me', 'other'])) }),
    ),
    conversationId: z.nullable(fields.publicIdSchema),
    /** Whether the caller follows this person. */
    following: z.boolean(),
    followsMe: z.boolean(),
  }),
  errors: ['user_not_found', 'block_self_not_allowed'],
  limit: 'read',
})

/**
 * Ends both follows and hides each from the other, who is not told; repeating it changes nothing. Also for somebody who is out
 * of sight already, where the two have a conversation.
 */
export const blockMemberOperation = defineOperation({
  name: 'blockMember',
  method: 'PUT',
  path: '/people/:personId/block',
  input: z.object({
    personId: fields.publicIdSchema,
    /** Groups of the caller's, as their admin, to remove the person from first. */
    removeFrom: z.optional(z.array(fields.publicIdSchema).check(z.maxLength(maxGroupRemovalsPerBlock))),
  }),
  output: z.object({ blocked: z.literal(true), blockId: fields.publicIdSchema }),
  errors: ['user_not_found', 'block_self_not_allowed', 'group_not_found', 'user_unauthorized'],
  limit: 'block',
})

/** Ends the caller's own block; follows do not come back. Answers alike where there was none. */
export const unblockMemberOperation = defineOperation({
  name: 'unblockMember',
  method: 'DELETE',
  path: '/people/:personId/block',
  input: blockedPerson,
  output: z.object({ blocked: z.literal(false) }),
  limit: 'block',
})

/** Lists whom the caller has blocked, newest first. The cursor is the last block's id. */
export const listBlocksOperation = defineOperation({
  name: 'listBlocks',
  method: 'GET',
  path: '/me/blocks',
  input: z.object({ cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }),
  output: z.object({ documents: z.array(memberBlockSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** Chooses whether the block holds for newer accounts of the person's. */
export const setBlockNewerAccountsOperation = defineOperation({
  name: 'setBlockNewerAccounts',
  method: 'PATCH',
  path: '/me/blocks/:blockId',
  input: z.object({ blockId: fields.publicIdSchema, newerAccounts: z.boolean() }),
  output: memberBlockSchema,
  errors: ['document_not_found'],
  limit: 'write',
})
