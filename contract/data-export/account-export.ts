/** A member's copy of everything: gathered once, then downloaded as one zip archive that is nowhere stored whole. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { exportSteps } from './export-steps.ts'

const exportSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['gathering', 'ready', 'failed']),
  askedAt: fields.isoTimestampSchema,
  /** What is being gathered; null once everything is. */
  step: z.nullable(z.enum(exportSteps)),
  /** Photos that were read, and how many there are. */
  photosRead: z.number(),
  photos: z.number(),
  /** An estimate, while it is gathered. */
  secondsLeft: z.nullable(z.number()),
  /** Of the archive, once it is ready, and until when it can be downloaded. */
  bytes: z.nullable(z.number()),
  diesAt: z.nullable(fields.isoTimestampSchema),
  /** Whether something of it was deleted since, so that it cannot be downloaded whole any more. */
  outdated: z.boolean(),
})

export type AccountExport = z.infer<typeof exportSchema>

const exportsSchema = z.object({
  /** The caller's copy, as far as it has come; null where there is none. */
  export: z.nullable(exportSchema),
  /** Copies that the caller asked for before within a year, newest first. */
  earlier: z.array(
    z.object({
      askedAt: fields.isoTimestampSchema,
      /** What the copy was downloaded with, for the last time; null where it never was. */
      downloadedWith: z.nullable(
        z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()) }),
      ),
    }),
  ),
})

export type AccountExports = z.infer<typeof exportsSchema>

export const getExportOperation = defineOperation({
  name: 'getExport',
  method: 'GET',
  path: '/me/export',
  allowsClosing: true,
  input: z.object({}),
  output: exportsSchema,
  limit: 'read',
})

/** Asks for a copy, which takes the place of the one before, or has one that failed gathered on. One at a time, two a day. */
export const requestExportOperation = defineOperation({
  name: 'requestExport',
  method: 'POST',
  path: '/me/export',
  allowsClosing: true,
  input: z.object({}),
  output: exportsSchema,
  errors: ['export_under_way', 'export_too_soon'],
  limit: 'write',
})

/** Discards the caller's copy, or stops gathering it. Answers alike where there is none. */
export const discardExportOperation = defineOperation({
  name: 'discardExport',
  method: 'DELETE',
  path: '/me/export',
  status: 204,
  allowsClosing: true,
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})

/**
 * Returns the address of the archive, with a key that works in this session alone and for as long as the copy is there. Needs a
 * proof; the downloads themselves need none.
 */
export const createExportDownloadLinkOperation = defineOperation({
  name: 'createExportDownloadLink',
  method: 'POST',
  path: '/me/export/key',
  allowsClosing: true,
  input: z.object({}),
  output: z.object({ path: z.string() }),
  errors: ['user_challenge_required', 'export_not_found', 'export_outdated'],
  limit: 'write',
})

/** Downloads the archive, or any range of it. */
export const downloadExportOperation = defineOperation({
  name: 'downloadExport',
  method: 'GET',
  path: '/me/export/:exportId/archive',
  allowsClosing: true,
  input: z.object({ exportId: fields.publicIdSchema, key: z.string().check(maxTextLength(128)) }),
  output: z.void(),
  errors: ['export_not_found', 'export_outdated', 'storage_invalid_range'],
  limit: 'archive',
  responseBody: 'archive',
})
