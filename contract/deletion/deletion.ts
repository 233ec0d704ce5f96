/** Deleting an account: closed at once, kept at a word for some days, then erased for good, with a receipt. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** A password that is only compared. */
const knownPassword = z.string().check(maxTextLength(256))
const typedUsername = z.string().check(z.trim(), maxTextLength(64))

/** Groups that one deletion can hand over to somebody who is chosen; the others go to their oldest members. */
export const maxChosenGroupHeirs = 100

const heirSchema = z.object({ $id: fields.publicIdSchema, name: z.string() })

/** What deleting the account now would mean, in numbers. */
export const getDeletionPlanOperation = defineOperation({
  name: 'getDeletionPlan',
  method: 'GET',
  path: '/me/deletion',
  input: z.object({}),
  output: z.object({
    /** The day on which it would be erased. */
    eraseAfter: fields.isoTimestampSchema,
    counts: z.object({
      posts: z.number(),
      photos: z.number(),
      likes: z.number(),
      saves: z.number(),
      comments: z.number(),
      messages: z.number(),
    }),
    /** The groups the member runs, each with those who can take it over, the oldest first; nobody: it goes too. */
    groups: z.array(z.object({ $id: fields.publicIdSchema, name: z.string(), heirs: z.array(heirSchema) })),
    /** What has to be given to delete it, beside the username. */
    asksForPassword: z.boolean(),
    asksForCode: z.boolean(),
  }),
  limit: 'read',
})

/**
 * Closes the account at once, hands its groups over, ends every session and sends the letter that keeps it. Needs the username, the
 * password or another proof, and a code where the account has two steps.
 */
export const requestDeletionOperation = defineOperation({
  name: 'requestDeletion',
  method: 'POST',
  path: '/me/deletion',
  input: z.object({
    username: typedUsername,
    password: z.optional(knownPassword),
    code: z.optional(fields.secondStepCodeSchema),
    /** Group → the member who takes it over; a group without goes to its oldest member. */
    heirs: z.optional(
      z
        .record(fields.publicIdSchema, fields.publicIdSchema)
        .check(z.refine((heirs) => Object.keys(heirs).length <= maxChosenGroupHeirs)),
    ),
    /** Whether messages are taken back too, which others keep otherwise. */
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

/** When the account that is being deleted is erased, for who signs in meanwhile. */
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

/** Keeps the account: everything is as it was but for the groups that were handed over. The session goes on as a member's. */
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

/** Keeps the account by the letter's link, without signing in. */
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

/** Erases the account now instead of on its day. Asks for what asking did. */
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

/** What a receipt counts, by what it was. */
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

/** A deletion by the address of its receipt, which names nobody: how far it is, and at its end the receipt. */
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
        /** The day from which no backup has it either. */
        goneFromBackupsAt: fields.isoTimestampSchema,
        /** A JWS in compact form (RFC 7515), EdDSA over all of the above. */
        signed: z.string(),
        /** The first letters of the key's thumbprint (RFC 7638). */
        key: z.string(),
      }),
    ),
  }),
  errors: ['receipt_not_found'],
  limit: 'read',
})

/** Says whether this instance signed a receipt. */
export const checkReceiptOperation = defineOperation({
  name: 'checkReceipt',
  method: 'POST',
  path: '/receipts/check',
  who: 'visitor',
  input: z.object({ signed: z.string().check(maxTextLength(4096)) }),
  output: z.object({ valid: z.boolean() }),
  limit: 'read',
})

/** The public keys that receipts are signed with, as a JWK set (RFC 7517): anybody can check one without this instance. */
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
