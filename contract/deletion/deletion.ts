/** A deleted account is closed at once, can be restored for some days, and is then erased. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** Only compared, never stored. */
const knownPassword = z.string().check(maxTextLength(256))
const typedUsername = z.string().check(z.trim(), maxTextLength(64))

/** The limit of chosen successors per deletion. Other groups pass to their longest-standing members. */
export const maxChosenGroupSuccessors = 100

const successorSchema = z.object({ $id: fields.publicIdSchema, name: z.string() })

export const getDeletionPlanOperation = defineOperation({
  name: 'getDeletionPlan',
  method: 'GET',
  path: '/me/deletion',
  input: z.object({}),
  output: z.object({
    /** The erasure happens on this day or later. */
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
     * The groups that the member administers, with their possible successors, the longest-standing member
     * first. A group without one is deleted too.
     */
    groups: z.array(
      z.object({ $id: fields.publicIdSchema, name: z.string(), heirs: z.array(successorSchema) }),
    ),
    /** The deletion requires these besides the username. */
    asksForPassword: z.boolean(),
    asksForCode: z.boolean(),
  }),
  limit: 'read',
})

/**
 * Closes the account, hands over its groups, ends every session, and emails a link that restores it. Requires
 * the username, the password or re-authentication, and a code if two-factor authentication is on.
 */
export const requestDeletionOperation = defineOperation({
  name: 'requestDeletion',
  method: 'POST',
  path: '/me/deletion',
  input: z.object({
    username: typedUsername,
    password: z.optional(knownPassword),
    code: z.optional(fields.secondStepCodeSchema),
    /** New admins by group id. Other groups pass to their longest-standing members. */
    heirs: z.optional(
      z
        .record(fields.publicIdSchema, fields.publicIdSchema)
        .check(z.refine((heirs) => Object.keys(heirs).length <= maxChosenGroupSuccessors)),
    ),
    /** Unsends the member's messages. Otherwise recipients keep them. */
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

/** Cancels the deletion, but does not return the groups. The session continues. */
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

/** Requires the same credentials as requesting the deletion. */
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

/** Returns the progress of the erasure, then the receipt. Its URL contains no name. */
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
        /** From this day, no backup contains the account. */
        goneFromBackupsAt: fields.isoTimestampSchema,
        /** Compact JWS (RFC 7515), with EdDSA over all fields above. */
        signed: z.string(),
        /** The first characters of the key's thumbprint (RFC 7638). */
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

/** Returns a JWK set (RFC 7517), with which anybody can verify a receipt without this instance. */
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
