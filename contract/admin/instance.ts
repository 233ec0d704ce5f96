import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

const backupSchema = z.object({
  finishedAt: fields.isoTimestampSchema,
  rows: z.number(),
  files: z.number(),
  bytes: z.number(),
  encrypted: z.boolean(),
  verified: z.boolean(),
})

export const getInstanceOverviewOperation = defineOperation({
  name: 'getInstanceOverview',
  method: 'GET',
  path: '/admin/instance',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    /** Null if the server runs the sources directly. */
    build: z.nullable(z.string()),
    /** The version that a restart would run. Null if it is the running one. */
    onDisk: z.nullable(z.string()),
    startedAt: fields.isoTimestampSchema,
    nodes: z.nullable(z.number()),
    members: z.number(),
    database: z.object({ version: z.string(), embedded: z.boolean(), bytes: z.number() }),
    files: z.object({
      store: z.enum(['disk', 's3']),
      /** The free space on this node's disk. Null if the store has no limit. */
      freeBytes: z.nullable(z.number()),
    }),
    lastBackup: z.nullable(backupSchema),
    /** True if the backup is missing or older than two days. */
    backupIsOverdue: z.boolean(),
    computedAt: fields.isoTimestampSchema,
  }),
  limit: 'read',
})
export type InstanceOverview = z.infer<typeof getInstanceOverviewOperation.output>

export const fileKindSchema = z.enum(['post', 'user', 'group', 'message', 'unused', 'evidence', 'deleted'])
export type FileKind = z.infer<typeof fileKindSchema>

/** The storage is computed at most once a minute. */
export const getInstanceStorageOperation = defineOperation({
  name: 'getInstanceStorage',
  method: 'GET',
  path: '/admin/storage',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    kinds: z.array(z.object({ kind: fileKindSchema, files: z.number(), bytes: z.number() })),
    exports: z.object({ files: z.number(), bytes: z.number() }),
    /** The ten largest accounts, largest first. */
    accounts: z.array(
      z.object({
        $id: fields.publicIdSchema,
        name: z.string(),
        username: z.string(),
        files: z.number(),
        bytes: z.number(),
      }),
    ),
    computedAt: fields.isoTimestampSchema,
  }),
  limit: 'read',
})
export type InstanceStorage = z.infer<typeof getInstanceStorageOperation.output>

export const getInstanceQueuesOperation = defineOperation({
  name: 'getInstanceQueues',
  method: 'GET',
  path: '/admin/queues',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    emails: z.object({
      waiting: z.number(),
      failed: z.number(),
      oldestSeconds: z.number(),
      sentToday: z.number(),
      sentThisWeek: z.number(),
    }),
    images: z.number(),
    /** The delay in seconds, on this node. */
    liveBehind: z.number(),
    /** The delay in seconds. */
    notificationsBehind: z.number(),
    deletions: z.object({ waiting: z.number(), erasing: z.number() }),
    exports: z.object({ gathering: z.number(), failed: z.number() }),
  }),
  limit: 'read',
})
export type InstanceQueues = z.infer<typeof getInstanceQueuesOperation.output>

/** Lists at most 200, oldest first, without texts. */
export const listUndeliveredEmailsOperation = defineOperation({
  name: 'listUndeliveredEmails',
  method: 'GET',
  path: '/admin/emails',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    documents: z.array(
      z.object({
        $id: z.string(),
        kind: z.string(),
        to: z.string(),
        createdAt: fields.isoTimestampSchema,
        failedAt: z.nullable(fields.isoTimestampSchema),
        error: z.nullable(z.string()),
        /** True unless the email's link or code has expired. */
        retriable: z.boolean(),
        /** False for emails about the security of an account. */
        discardable: z.boolean(),
      }),
    ),
    mail: z.boolean(),
  }),
  limit: 'read',
})
export type UndeliveredEmails = z.infer<typeof listUndeliveredEmailsOperation.output>

const emailIdSchema = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))

export const retryEmailOperation = defineOperation({
  name: 'retryEmail',
  method: 'POST',
  path: '/admin/emails/:emailId/retry',
  status: 204,
  who: 'operator',
  input: z.object({ emailId: emailIdSchema }),
  output: z.void(),
  errors: ['document_not_found', 'email_expired'],
  limit: 'write',
})

export const discardEmailOperation = defineOperation({
  name: 'discardEmail',
  method: 'DELETE',
  path: '/admin/emails/:emailId',
  status: 204,
  who: 'operator',
  input: z.object({ emailId: emailIdSchema }),
  output: z.void(),
  errors: ['document_not_found', 'email_protects_account'],
  limit: 'write',
})

/** If the mail server refuses the email, the response says so without an error status. */
export const sendTestEmailOperation = defineOperation({
  name: 'sendTestEmail',
  method: 'POST',
  path: '/admin/test-email',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    to: z.string(),
    accepted: z.boolean(),
    answer: z.string(),
  }),
  errors: ['general_smtp_disabled', 'user_email_not_found'],
  limit: 'push-test',
})

/** The checks run at most once a minute, on this node. */
export const examineInstanceOperation = defineOperation({
  name: 'examineInstance',
  method: 'GET',
  path: '/admin/doctor',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    findings: z.array(z.object({ verdict: z.enum(['ok', 'warning', 'failure']), sentence: z.string() })),
    computedAt: fields.isoTimestampSchema,
  }),
  limit: 'read',
})
export type InstanceFindings = z.infer<typeof examineInstanceOperation.output>
