/** Account deletion: closed at once, restorable for some days, then erased with a receipt. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** Only compared, never stored. */
const knownPassword = z.string().check(maxTextLength(256))
const typedUsername = z.string().check(z.trim(), maxTextLength(64))

/** Groups whose new admin the member can choose in one deletion; others pass to their oldest members. */
export const maxChosenGroupHeirs = 100

const heirSchema = z.object({ $id: fields.publicIdSchema, name: z.string() })

/** Counts what deleting the account now would affect. */
export const getDeletionPlanOperation = defineOperation({
  name: 'getDeletionPlan',
  method: 'GET',
  path: '/me/deletion',
  input: z.object({}),
  output: z.object({
    /** The earliest day of erasure. */
    eraseAfter: fields.isoTimestampSchema,
    counts: z.object({
      posts: z.number(),
      photos: z.number(),
      likes: z.number(),
      saves: z.number(),
      comments: z.number(),
      messages: z.number(),
    }),
    /**
     * Groups the member administers, each with possible successors, the oldest first. Without one, the group
     * is deleted too.
     */
    groups: z.array(z.object({ $id: fields.publicIdSchema, name: z.string(), heirs: z.array(heirSchema) })),
    /** The credentials required beside the username. */
    asksForPassword: z.boolean(),
    asksForCode: z.boolean(),
  }),
  limit: 'read',
})

/**
 * Closes the account, hands over its groups, ends every session and emails a link that restores it. Needs the
 * username, the password or re-authentication, and a code if two-factor authentication is on.
 */
export const requestDeletionOperation = defineOperation({
  name: 'requestDeletion',
  method: 'POST',
  path: '/me/deletion',
  input: z.object({
    username: typedUsername,
    password: z.optional(knownPassword),
    code: z.optional(fields.secondStepCodeSchema),
    /** Group id → its new admin; other groups pass to their oldest member. */
    heirs: z.optional(
      z
        .record(fields.publicIdSchema, fields.publicIdSchema)
        .check(z.refine((heirs) => Object.keys(heirs).length <= maxChosenGroupHeirs)),
    ),
    /** Whether to unsend the member's messages; recipients keep them otherwise. */
    takeBackMessages: z.optional(z.boolean()),
  }),
  output: z.object({ eraseAfter: fields.isoTimestampSchema, receiptId: fields.publicIdSchema }),
  errors: [
    'username_mismatch',
    'user_invalid_credentials',
    'user_invalid_token',
    'user_challenge_required',
    'group_member_not_found',
  ],
  limit: 'write',
})

/** Returns the erasure date of the account being deleted, for a member who signs in meanwhile. */
export const getDeletionOperation = defineOperation({
  name: 'getDeletion',
  method: 'GET',
  path: '/me/deletion/state',
  who: 'account',
  allowsClosing: true,
  input: z.object({}),
  output: z.object({
    name: z.string(),
    username: z.string(),
    askedAt: fields.isoTimestampSchema,
    eraseAfter: fields.isoTimestampSchema,
    asksForPassword: z.boolean(),
    asksForCode: z.boolean(),
  }),
  errors: ['deletion_not_found'],
  limit: 'read',
})

/** Restores the account, except for handed-over groups. The session continues. */
export const keepAccountOperation = defineOperation({
  name: 'keepAccount',
  method: 'DELETE',
  path: '/me/deletion',
  status: 204,
  who: 'account',
  allowsClosing: true,
  input: z.object({}),
  output: z.void(),
  errors: ['deletion_not_found', 'deletion_under_way'],
  limit: 'write',
})

/** Restores the account by the emailed link, without signing in. */
export const keepAccountByEmailLinkOperation = defineOperation({
  name: 'keepAccountByEmailLink',
  method: 'POST',
  path: '/deletions/keep',
  status: 204,
  who: 'visitor',
  input: z.object({ secret: z.string().check(minTextLength(1), maxTextLength(256)) }),
  output: z.void(),
  errors: ['user_invalid_token', 'deletion_under_way'],
  limit: 'sign-in',
})

/** Erases the account now. Needs the same credentials as requesting deletion. */
export const eraseNowOperation = defineOperation({
  name: 'eraseNow',
  method: 'PUT',
  path: '/me/deletion',
  who: 'account',
  allowsClosing: true,
  input: z.object({
    username: typedUsername,
    password: z.optional(knownPassword),
    code: z.optional(fields.secondStepCodeSchema),
  }),
  output: z.object({ receiptId: fields.publicIdSchema }),
  errors: [
    'username_mismatch',
    'user_invalid_credentials',
    'user_invalid_token',
    'user_challenge_required',
    'deletion_not_found',
    'deletion_under_way',
  ],
  limit: 'write',
})

/** Numbers of erased items by kind. */
export const receiptCountsSchema = z.object({
  photos: z.number(),
  bytes: z.number(),
  posts: z.number(),
  comments: z.number(),
  marks: z.number(),
  ties: z.number(),
  signIns: z.number(),
  notifications: z.number(),
  messagesKept: z.number(),
  messagesTakenBack: z.number(),
})

export type ReceiptCounts = z.infer<typeof receiptCountsSchema>

/** Returns a deletion's progress, then its receipt. The receipt's address names nobody. */
export const getReceiptOperation = defineOperation({
  name: 'getReceipt',
  method: 'GET',
  path: '/receipts/:receiptId',
  who: 'visitor',
  input: z.object({ receiptId: fields.publicIdSchema }),
  output: z.object({
    state: z.enum(['waiting', 'erasing', 'done']),
    eraseAfter: fields.isoTimestampSchema,
    receipt: z.nullable(
      z.object({
        counts: receiptCountsSchema,
        erasedAt: fields.isoTimestampSchema,
        /** The day from which no backup contains the account. */
        goneFromBackupsAt: fields.isoTimestampSchema,
        /** Compact JWS (RFC 7515), EdDSA over all fields above. */
        signed: z.string(),
        /** The start of the key's thumbprint (RFC 7638). */
        key: z.string(),
      }),
    ),
  }),
  errors: ['receipt_not_found'],
  limit: 'read',
})

export const checkReceiptOperation = defineOperation({
  name: 'checkReceipt',
  method: 'POST',
  path: '/receipts/check',
  who: 'visitor',
  input: z.object({ signed: z.string().check(maxTextLength(4096)) }),
  output: z.object({ valid: z.boolean() }),
  limit: 'read',
})

/**
 * Returns the public keys of receipts as a JWK set (RFC 7517), so anybody can verify one without this
 * instance.
 */
export const getReceiptKeysOperation = defineOperation({
  name: 'getReceiptKeys',
  method: 'GET',
  path: '/receipts/keys',
  who: 'visitor',
  input: z.object({}),
  output: z.object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        kid: z.string(),
        alg: z.string(),
        use: z.string(),
      }),
    ),
  }),
  limit: 'read',
})
